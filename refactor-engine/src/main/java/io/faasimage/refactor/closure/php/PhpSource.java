package io.faasimage.refactor.closure.php;

import io.faasimage.refactor.closure.php.PhpLexer.Token;
import io.faasimage.refactor.closure.reads.ContentParser;
import io.faasimage.refactor.closure.reads.StringWeight;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a PHP source says about other files.
 *
 * @param includes in order
 * @param classes names in lower case without a leading backslash, and whether loading the source needs them
 * @param strings all string constants of at most {@value #MAX_STRING} chars
 * @param startsPrograms whether it calls a function that starts programs
 */
record PhpSource(List<Include> includes, Map<String, Boolean> classes, Set<String> strings, boolean startsPrograms) {
    /** Parses a source. */
    static final ContentParser<PhpSource> PARSER = ContentParser.ofText(PhpSource::parse, PhpSource::weight);

    private static final int MAX_STRING = 200;
    private static final Set<String> INCLUDES = Set.of("require", "require_once", "include", "include_once");
    private static final Set<String> STARTERS =
            Set.of("exec", "shell_exec", "proc_open", "passthru", "popen", "system");
    private static final Set<String> NO_CLASS = Set.of(
            "self",
            "static",
            "parent",
            "class",
            "array",
            "string",
            "int",
            "bool",
            "float",
            "null",
            "callable",
            "mixed");

    /**
     * One inclusion.
     *
     * @param relative whether the path begins with the directory of the source
     * @param up how many directories above it
     * @param path as written; begins with a slash when relative
     * @param deferred whether it is in a function
     */
    record Include(boolean relative, int up, String path, boolean deferred) {}

    /** About how much memory it takes. */
    long weight() {
        return includes.stream()
                        .mapToLong(include -> StringWeight.of(include.path))
                        .sum()
                + StringWeight.of(classes.keySet())
                + StringWeight.of(strings);
    }

    static PhpSource parse(String text) {
        return new Parser(PhpLexer.tokens(text)).parse();
    }

    /** A pass over the tokens. */
    private static final class Parser {
        private final List<Token> tokens;
        private final List<Include> includes = new ArrayList<>();
        private final Map<String, Boolean> classes = new LinkedHashMap<>();
        private final Set<String> strings = new LinkedHashSet<>();
        private final Map<String, String> aliases = new HashMap<>();
        /** For each open brace whether it began a function. */
        private final Deque<Boolean> braces = new ArrayDeque<>();

        private String namespace = "";
        private boolean functionAhead;
        private boolean starts;
        private int functions;
        private int i;

        Parser(List<Token> tokens) {
            this.tokens = tokens;
        }

        PhpSource parse() {
            for (i = 0; i < tokens.size(); i++) {
                Token token = tokens.get(i);
                if (token.isString()) {
                    if (token.text().length() <= MAX_STRING) {
                        strings.add(token.text());
                    }
                } else if (token.isName()) {
                    name(token.text().toLowerCase(Locale.ROOT));
                } else {
                    other(token.text());
                }
            }
            return new PhpSource(List.copyOf(includes), classes, strings, starts);
        }

        private void other(String token) {
            switch (token) {
                case "{" -> {
                    braces.push(functionAhead);
                    functions += functionAhead ? 1 : 0;
                    functionAhead = false;
                }
                case "}" -> {
                    if (!braces.isEmpty() && braces.pop()) {
                        functions--;
                    }
                }
                // An abstract method, or an import of a function.
                case ";" -> functionAhead = false;
                case ":" -> {
                    if (at(1).is(":") && at(-1).isName()) {
                        use(at(-1).text(), false);
                        i++;
                    }
                }
                default -> {
                    // Nothing that names files.
                }
            }
        }

        private Token at(int distance) {
            int place = i + distance;
            return place >= 0 && place < tokens.size() ? tokens.get(place) : new Token(Token.Kind.OTHER, ";");
        }

        private void name(String word) {
            if (INCLUDES.contains(word)) {
                include();
                return;
            }
            starts |= STARTERS.contains(word);
            switch (word) {
                case "namespace" -> namespace = at(1).isName() ? at(1).text() : "";
                case "function", "fn" -> functionAhead |= word.equals("function");
                case "new", "instanceof" -> use(at(1).text(), false);
                case "extends", "implements" -> list();
                case "use" -> useStatement();
                default -> {
                    // Any other name.
                }
            }
        }

        /** The names behind {@code extends} and {@code implements}, which PHP loads with the class. */
        private void list() {
            int distance = 1;
            while (at(distance).isName() || at(distance).is(",")) {
                if (at(distance).is("implements")) {
                    break;
                }
                if (at(distance).isName()) {
                    use(at(distance).text(), true);
                }
                distance++;
            }
        }

        /** An import of names at the top; in a class its traits. */
        private void useStatement() {
            boolean inClass = !braces.isEmpty() && functions == 0;
            if (at(1).is("(") || functions > 0) {
                return;
            }
            for (int distance = 1; at(distance).isName() || at(distance).is(","); distance++) {
                String name = at(distance).text();
                if (inClass && at(distance).isName()) {
                    use(name, true);
                } else if (at(distance).isName()
                        && !at(distance - 1).is("as")
                        && !at(distance).is("as")) {
                    String alias = at(distance + 1).is("as") ? at(distance + 2).text() : last(name);
                    aliases.put(alias.toLowerCase(Locale.ROOT), name);
                }
            }
        }

        private static String last(String name) {
            return name.substring(name.lastIndexOf('\\') + 1);
        }

        private void use(String name, boolean needed) {
            if (name.startsWith("$") || name.isEmpty() || NO_CLASS.contains(name.toLowerCase(Locale.ROOT))) {
                return;
            }
            char first = name.charAt(0);
            if (first != '\\' && first != '_' && !Character.isLetter(first)) {
                return;
            }
            String full = full(name).toLowerCase(Locale.ROOT);
            classes.merge(full, needed, Boolean::logicalOr);
        }

        private String full(String name) {
            if (name.startsWith("\\")) {
                return name.substring(1);
            }
            int slash = name.indexOf('\\');
            String head = (slash < 0 ? name : name.substring(0, slash)).toLowerCase(Locale.ROOT);
            if (aliases.containsKey(head)) {
                String target = aliases.getOrDefault(head, "");
                return (target.startsWith("\\") ? target.substring(1) : target)
                        + (slash < 0 ? "" : name.substring(slash));
            }
            return namespace.isEmpty() ? name : namespace + "\\" + name;
        }

        /** An expression of constants, {@code __DIR__} and {@code dirname}; others are left out. */
        private void include() {
            StringBuilder path = new StringBuilder();
            boolean relative = false;
            int up = 0;
            int distance = 1;
            for (; distance < 16; distance++) {
                Token token = at(distance);
                if (token.isString()) {
                    path.append(token.text());
                } else if (token.is("__DIR__")) {
                    relative = true;
                } else if (token.is("__FILE__")) {
                    relative = true;
                    up--;
                } else if (token.is("dirname")) {
                    up++;
                } else if (token.is(";")) {
                    break;
                } else if (!token.is("(") && !token.is(")") && !token.is(".")) {
                    return;
                }
            }
            if (path.length() > 0 && path.length() <= MAX_STRING) {
                includes.add(new Include(relative, Math.max(up, 0), path.toString(), functions > 0));
            }
        }
    }

    /** The path that an inclusion of a source in {@code directory} means; absent when it is looked up. */
    static Optional<String> path(Include include, String directory) {
        if (!include.relative()) {
            return include.path().startsWith("/") ? Optional.of(include.path()) : Optional.empty();
        }
        return Optional.of(directory + "/..".repeat(include.up()) + "/" + include.path());
    }
}
