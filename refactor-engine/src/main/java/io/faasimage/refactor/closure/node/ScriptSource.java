package io.faasimage.refactor.closure.node;

import io.faasimage.refactor.closure.node.ScriptLexer.Token;
import io.faasimage.refactor.closure.reads.ContentParser;
import io.faasimage.refactor.closure.reads.StringWeight;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * What a JavaScript module says about other files.
 *
 * @param imports in order
 * @param strings all string constants of at most {@value #MAX_STRING} chars
 * @param names of anything in it, in lower case
 * @param startsPrograms whether it names the module that starts programs
 */
record ScriptSource(List<Import> imports, Set<String> strings, Set<String> names, boolean startsPrograms) {
    /** Parses a source. */
    static final ContentParser<ScriptSource> PARSER = ContentParser.ofText(ScriptSource::parse, ScriptSource::weight);

    private static final int MAX_STRING = 200;
    private static final Set<String> CONTROL = Set.of("if", "for", "while", "switch", "catch", "with", "await");

    /**
     * An import by {@code require}, {@code import} or {@code export}.
     *
     * @param specifier as written
     * @param module whether by {@code import} or {@code export}
     * @param nested whether in a block that is no function
     * @param deferred whether in a function that the module itself does not call
     */
    record Import(String specifier, boolean module, boolean nested, boolean deferred) {}

    /** About how much memory it takes. */
    long weight() {
        return imports.stream().mapToLong(one -> StringWeight.of(one.specifier)).sum()
                + StringWeight.of(strings)
                + StringWeight.of(names);
    }

    static ScriptSource parse(String text) {
        Parser parser = new Parser(ScriptLexer.tokens(text));
        return parser.parse();
    }

    /** A pass over the tokens. */
    private static final class Parser {
        private final List<Token> tokens;
        /** For each open brace: the name of its function, or nothing for another block. */
        private final Deque<Scope> scopes = new ArrayDeque<>();
        /** For each open parenthesis its place. */
        private final Deque<Integer> parentheses = new ArrayDeque<>();

        private final List<Found> found = new ArrayList<>();
        private final Map<String, Set<String>> calls = new HashMap<>();
        private final Set<String> strings = new LinkedHashSet<>();
        private final Set<String> names = new LinkedHashSet<>();
        private int lastOpening = -1;
        private String function = "";
        private boolean starts;

        private record Scope(String function) {}

        private record Found(Import one, String function) {}

        Parser(List<Token> tokens) {
            this.tokens = tokens;
        }

        ScriptSource parse() {
            for (int i = 0; i < tokens.size(); i++) {
                token(i, tokens.get(i));
            }
            Set<String> reached = reached();
            List<Import> imports = found.stream()
                    .map(f -> new Import(
                            f.one.specifier,
                            f.one.module,
                            f.one.nested,
                            !f.function.isEmpty() && !reached.contains(f.function)))
                    .toList();
            return new ScriptSource(imports, strings, names, starts);
        }

        private Set<String> reached() {
            Set<String> reached = new HashSet<>();
            Deque<String> todo = new ArrayDeque<>(calls.getOrDefault("", Set.of()));
            while (!todo.isEmpty()) {
                String name = todo.pop();
                if (reached.add(name)) {
                    todo.addAll(calls.getOrDefault(name, Set.of()));
                }
            }
            return reached;
        }

        private void token(int i, Token token) {
            if (token.isString()) {
                string(i, token);
                return;
            }
            if (token.isName()) {
                names.add(token.text().toLowerCase(Locale.ROOT));
            }
            switch (token.text()) {
                case "(" -> parentheses.push(i);
                case ")" -> close(i);
                case "{" -> open(i);
                case "}" -> {
                    if (!scopes.isEmpty()) {
                        function = scopes.pop().function;
                    }
                }
                default -> starts |= token.is("child_process");
            }
        }

        private void close(int i) {
            lastOpening = parentheses.isEmpty() ? -1 : parentheses.pop();
            if (lastOpening < 1 || !tokens.get(lastOpening - 1).isName()) {
                return;
            }
            boolean declared = (lastOpening >= 2 && tokens.get(lastOpening - 2).is("function"))
                    || (i + 1 < tokens.size() && tokens.get(i + 1).is("{"));
            if (!declared) {
                calls.computeIfAbsent(function, k -> new HashSet<>())
                        .add(tokens.get(lastOpening - 1).text());
            }
        }

        private void string(int i, Token token) {
            if (token.text().length() <= MAX_STRING) {
                strings.add(token.text());
            }
            starts |= token.text().endsWith("child_process");
            if (i == 0) {
                return;
            }
            Token before = tokens.get(i - 1);
            boolean call = before.is("(") && i >= 2;
            if (call && (tokens.get(i - 2).is("require") || tokens.get(i - 2).is("import"))) {
                add(token, tokens.get(i - 2).is("import"));
            } else if (before.is("import")
                    || (before.is("from") && i >= 2 && !tokens.get(i - 2).is("."))) {
                add(token, true);
            }
        }

        private void add(Token specifier, boolean module) {
            boolean nested = !scopes.isEmpty();
            found.add(new Found(new Import(specifier.text(), module, nested, false), function));
        }

        /** Opens a block: of a function, unless it is called at once; {@code ?} is the name of one without. */
        private void open(int i) {
            scopes.push(new Scope(function));
            if (i == 0) {
                return;
            }
            Token before = tokens.get(i - 1);
            if (before.is("=>")) {
                int start = i >= 2 && tokens.get(i - 2).is(")") ? lastOpening : i - 2;
                enter(start, start - 1);
            } else if (before.is(")") && lastOpening > 0) {
                int name = lastOpening - 1;
                if (!CONTROL.contains(tokens.get(name).text())) {
                    int keyword = tokens.get(name).is("function") ? name : name - 1;
                    enter(name, keyword >= 0 && tokens.get(keyword).is("function") ? keyword - 1 : name - 1);
                }
            }
        }

        /**
         * Enters a function.
         *
         * @param name place of its name, if it has one
         * @param before place of the token before the whole function
         */
        private void enter(int name, int before) {
            int outer = before >= 0 && tokens.get(before).is("async") ? before - 1 : before;
            if (outer >= 0 && isCalledAtOnce(outer)) {
                return;
            }
            Token token = name >= 0 ? tokens.get(name) : new Token(Token.Kind.OTHER, "");
            if (token.isName() && !token.is("function")) {
                function = token.text();
            } else if (outer >= 1
                    && tokens.get(outer).is("=")
                    && tokens.get(outer - 1).isName()) {
                function = tokens.get(outer - 1).text();
            } else {
                function = "?";
            }
        }

        /** {@code (function () {...})()} and {@code !function () {...}()}. */
        private boolean isCalledAtOnce(int before) {
            Token token = tokens.get(before);
            if (token.is("!") || token.is("void") || token.is("new")) {
                return true;
            }
            if (!token.is("(")) {
                return false;
            }
            Token outer = before == 0 ? new Token(Token.Kind.OTHER, ";") : tokens.get(before - 1);
            return (!outer.isName() && !outer.is(")") && !outer.is("]")) || outer.is("await") || outer.is("return");
        }
    }
}
