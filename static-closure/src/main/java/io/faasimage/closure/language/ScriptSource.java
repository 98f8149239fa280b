package io.faasimage.closure.language;

import io.faasimage.closure.language.Scanner.Kind;
import io.faasimage.closure.language.Scanner.Syntax;
import io.faasimage.closure.language.Scanner.Token;
import io.faasimage.closure.read.ContentParser;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The references of a JavaScript, Ruby or PHP source to other files.
 *
 * @param imports in order
 * @param strings all string constants that are not long
 * @param names symbols of Ruby; names of PHP that may be classes, in their namespace and as written
 * @param startsPrograms whether it names a function that starts programs
 */
record ScriptSource(List<Import> imports, Set<String> strings, Set<String> names, boolean startsPrograms) {
    static final Map<Syntax, ContentParser<ScriptSource>> PARSERS = Map.of(
            Syntax.SCRIPT, ContentParser.ofText(text -> parse(text, Syntax.SCRIPT)),
            Syntax.RUBY, ContentParser.ofText(text -> parse(text, Syntax.RUBY)),
            Syntax.PHP, ContentParser.ofText(text -> parse(text, Syntax.PHP)));
    private static final int MAX_STRING = 200;
    private static final int MAX_EXPRESSION = 16;
    private static final Map<Syntax, Set<String>> KEYWORDS = Map.of(
            Syntax.SCRIPT, Set.of("require", "import", "from"),
            Syntax.RUBY, Set.of("require", "require_relative", "load", "autoload"),
            Syntax.PHP, Set.of("require", "require_once", "include", "include_once"));
    private static final Set<String> STARTERS =
            Set.of("exec", "shell_exec", "proc_open", "passthru", "popen", "system", "spawn", "Open3");

    /**
     * An import.
     *
     * @param keyword that it begins with
     * @param path as written; below the source's directory when {@code relative}
     * @param nested whether it is in a block; of Ruby, in a method
     */
    record Import(String keyword, String path, boolean relative, boolean nested) {}

    static ScriptSource parse(String text, Syntax syntax) {
        return new Pass(Scanner.tokens(text, syntax), syntax).read();
    }

    /** A pass over the tokens. */
    private static final class Pass {
        private final List<Token> tokens;
        private final Syntax syntax;
        private final List<Import> imports = new ArrayList<>();
        private final Set<String> strings = new LinkedHashSet<>();
        private final Set<String> names = new LinkedHashSet<>();
        private String namespace = "";
        private boolean starts;
        private int depth;
        /** Indentation of the method of Ruby that is open. */
        private int method = Integer.MAX_VALUE;

        Pass(List<Token> tokens, Syntax syntax) {
            this.tokens = tokens;
            this.syntax = syntax;
        }

        ScriptSource read() {
            for (int i = 0; i < tokens.size(); i++) {
                Token token = tokens.get(i);
                if (token.isString()) {
                    string(i, token.text());
                } else if (token.isName()) {
                    name(i, token.text());
                } else {
                    depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
                }
            }
            return new ScriptSource(imports, strings, names, starts);
        }

        private void string(int i, String text) {
            if (text.length() <= MAX_STRING) {
                strings.add(text);
            }
            starts |= syntax == Syntax.SCRIPT && text.endsWith("child_process");
            if (syntax == Syntax.PHP
                    && text.length() == 32
                    && Scanner.at(tokens, i + 1).is("=>")) {
                // A file that Composer always includes, by the hash of its name.
                add("require", i + 2);
            }
        }

        private void name(int i, String name) {
            int indent = tokens.get(i).indent();
            boolean ends = name.equals("end") && indent <= method;
            method = name.equals("def") ? indent : ends ? Integer.MAX_VALUE : method;
            starts |= syntax != Syntax.SCRIPT && STARTERS.contains(name);
            boolean isMember = Scanner.at(tokens, i - 1).is(".")
                    || Scanner.at(tokens, i - 1).is(">");
            if (KEYWORDS.getOrDefault(syntax, Set.of()).contains(name) && !isMember) {
                add(name, i + 1);
            } else if (syntax == Syntax.RUBY && Scanner.at(tokens, i - 1).is(":")) {
                names.add(name);
            } else if (syntax == Syntax.PHP && name.equals("namespace")) {
                namespace = Scanner.at(tokens, i + 1).text() + "\\";
            } else if (syntax == Syntax.PHP && (name.contains("\\") || Character.isUpperCase(name.charAt(0)))) {
                String full = name.startsWith("\\") ? name.substring(1) : name;
                names.add((namespace + full).toLowerCase(Locale.ROOT));
                names.add(full.toLowerCase(Locale.ROOT));
            }
        }

        /** An expression of constants and of the source's directory; others are left out. */
        private void add(String keyword, int from) {
            StringBuilder path = new StringBuilder();
            boolean relative = keyword.equals("require_relative");
            StringBuilder base = new StringBuilder();
            for (int i = from; i < from + MAX_EXPRESSION; i++) {
                Token token = Scanner.at(tokens, i);
                if (token.isString()) {
                    path.append(syntax == Syntax.RUBY && !path.isEmpty() ? "/" : "")
                            .append(token.text());
                    if (syntax == Syntax.SCRIPT) {
                        break;
                    }
                } else if (token.is("__DIR__") || token.is("__dir__")) {
                    relative = true;
                } else if (token.is("__FILE__")) {
                    relative = true;
                    base.insert(0, "file");
                } else if (token.is("dirname")) {
                    base.append("/..");
                } else if (token.is(";") || (token.is(",") && syntax == Syntax.PHP) || token.kind() == Kind.LINE) {
                    break;
                } else if (syntax == Syntax.SCRIPT ? i > from || !token.is("(") : isOther(token)) {
                    break;
                }
            }
            if (!path.isEmpty() && path.length() <= MAX_STRING) {
                String written = relative ? base + "/" + path : path.toString();
                boolean isNested =
                        syntax == Syntax.RUBY ? Scanner.at(tokens, from).indent() > method : depth > 0;
                imports.add(new Import(keyword, written, relative, isNested));
            }
        }

        private boolean isOther(Token token) {
            return !"().,:+".contains(token.text()) && syntax == Syntax.PHP;
        }
    }
}
