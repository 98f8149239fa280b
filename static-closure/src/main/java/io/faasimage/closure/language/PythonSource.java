package io.faasimage.closure.language;

import io.faasimage.closure.language.Scanner.Syntax;
import io.faasimage.closure.language.Scanner.Token;
import io.faasimage.closure.read.ContentParser;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The references of a Python source to other files, found line by line.
 *
 * @param imports in order
 * @param calls names that are called, by the function that calls them; those of the module level under the empty name
 * @param attributes attributes of imported modules that it uses: dotted name, and whether at module level
 * @param strings all string constants that are not long
 * @param startsPrograms whether it names a function that starts programs
 * @param extendsPath whether it names {@code sys.path}
 */
record PythonSource(
        List<Import> imports,
        Map<String, Set<String>> calls,
        Map<String, Boolean> attributes,
        Set<String> strings,
        boolean startsPrograms,
        boolean extendsPath) {
    /** The function of the statements that run only when the source is the program. */
    static final String MAIN = "__main__";

    static final ContentParser<PythonSource> PARSER = ContentParser.ofText(PythonSource::parse);
    private static final int MAX_STRING = 200;
    private static final int MAX_BLOCKS = 200;
    private static final double LIKELY = 0.98;
    private static final double HANDLER = 0.1;
    private static final double FUNCTION = 0.9;
    private static final double UNKNOWN = 0.5;
    private static final Set<String> STARTERS = Set.of("subprocess", "popen", "Popen", "system", "spawn", "execvp");
    private static final Set<String> IMPORTERS = Set.of("__import__", "import_module");
    private static final Set<String> NEVER = Set.of("TYPE_CHECKING", "PY2", "PYPY", "False", "WINDOWS", "IS_WINDOWS");

    /**
     * One import.
     *
     * @param level number of dots of a relative import, else 0
     * @param module dotted name behind the dots; may be empty for a relative import
     * @param names that are imported from the module; empty for a plain {@code import}
     * @param confidence that a run of the module, or function, gets there
     * @param function outermost function that it is in; empty at module level
     * @param unless the imports whose failure leads to this one; empty when nothing has to fail
     */
    record Import(
            int level, String module, List<String> names, double confidence, String function, List<Import> unless) {}

    static PythonSource parse(String text) {
        return new Lines().read(Scanner.tokens(text, Syntax.PYTHON));
    }

    /** The functions that the module calls while it is imported, and those that these names lead to. */
    Set<String> reached(Set<String> alsoCalled) {
        Set<String> reached = new HashSet<>();
        Deque<String> todo = new ArrayDeque<>(calls.getOrDefault("", Set.of()));
        alsoCalled.stream().filter(calls::containsKey).forEach(todo::add);
        while (!todo.isEmpty()) {
            String name = todo.pop();
            if (reached.add(name)) {
                todo.addAll(calls.getOrDefault(name, Set.of()));
            }
        }
        return reached;
    }

    /** A pass over the lines, with the compound statements that are open: how probable is it that a run gets there? */
    private static final class Lines {
        private final Deque<Block> blocks = new ArrayDeque<>();
        private final List<Import> imports = new ArrayList<>();
        private final Map<String, Set<String>> calls = new HashMap<>();
        private final Map<String, Boolean> attributes = new LinkedHashMap<>();
        private final Set<String> strings = new LinkedHashSet<>();
        /** Imported modules by the name that they are bound to. */
        private final Map<String, String> aliases = new HashMap<>();
        /** The probability that no branch so far was taken, by indentation of the {@code if}. */
        private final Map<Integer, Double> remaining = new HashMap<>();

        private final Map<Integer, List<Import>> tried = new HashMap<>();
        private boolean starts;
        private boolean extendsPath;

        /** A compound statement that is open: its header's indentation, and how probable its body is. */
        private record Block(int indent, double factor, String function, List<Import> unless) {}

        PythonSource read(List<Token> tokens) {
            int from = 0;
            for (int i = 1; i <= tokens.size(); i++) {
                if (i == tokens.size() || tokens.get(i).kind() == Scanner.Kind.LINE) {
                    List<Token> line = tokens.subList(from + 1, i);
                    from = i;
                    if (!line.isEmpty()) {
                        line(line.getFirst().indent(), line);
                    }
                }
            }
            return new PythonSource(imports, calls, attributes, strings, starts, extendsPath);
        }

        private void line(int indent, List<Token> line) {
            while (!blocks.isEmpty() && blocks.peek().indent >= indent) {
                blocks.pop();
            }
            String function = function();
            Set<String> called = calls.computeIfAbsent(function, k -> new HashSet<>());
            boolean reachable = factor() > 0 && !line.getFirst().is("def");
            for (int i = 0; i < line.size(); i++) {
                Token token = line.get(i);
                Token next = Scanner.at(line, i + 1);
                if (token.isString() && token.text().length() <= MAX_STRING) {
                    strings.add(token.text());
                } else if (token.isName()) {
                    starts |= STARTERS.contains(token.text());
                    extendsPath |= token.is("path") && Scanner.at(line, i - 2).is("sys");
                    attribute(line, i, function);
                    if (reachable && (next.is("(") || Scanner.at(line, i - 1).is("@"))) {
                        called.add(token.text());
                    }
                    if (IMPORTERS.contains(token.text())
                            && Scanner.at(line, i + 2).isString()) {
                        String name = line.get(i + 2).text();
                        int level = (int) name.chars().takeWhile(c -> c == '.').count();
                        add(level, name.substring(level), List.of());
                    }
                }
            }
            statement(indent, line);
        }

        private void attribute(List<Token> line, int i, String function) {
            String module = aliases.get(line.get(i).text());
            Token member = Scanner.at(line, i + 2);
            if (module != null && Scanner.at(line, i + 1).is(".") && member.isName() && factor() > 0) {
                attributes.merge(module + "." + member.text(), function.isEmpty(), Boolean::logicalOr);
            }
        }

        /** The outermost function that is open: one inside of it may be its result. */
        private String function() {
            String outermost = "";
            for (Block block : blocks) {
                outermost = block.function.isEmpty() ? outermost : block.function;
            }
            return outermost;
        }

        private double factor() {
            return blocks.stream().mapToDouble(Block::factor).reduce(1, (a, b) -> a * b);
        }

        private void statement(int indent, List<Token> line) {
            int first = 0;
            while (Scanner.at(line, first).is("async")) {
                first++;
            }
            List<Token> tokens = line.subList(first, line.size());
            Token word = Scanner.at(tokens, 0);
            Token next = Scanner.at(tokens, 1);
            double reached = word.is("if") ? 1 : remaining.getOrDefault(indent, 1.0);
            switch (word.isName() ? word.text() : "") {
                case "import" -> plain(tokens);
                case "from" -> from(tokens);
                case "def" -> open(indent, tokens, FUNCTION, next.text(), List.of());
                case "if", "elif" -> {
                    double holds = next.is("__name__") ? 1 : probability(tokens.subList(1, colon(tokens)));
                    remaining.put(indent, reached * (1 - holds));
                    open(indent, tokens, reached * holds, next.is("__name__") ? MAIN : "", List.of());
                }
                case "else" -> open(indent, tokens, reached, "", List.of());
                case "try", "for", "while", "class", "with", "finally" -> {
                    remaining.remove(indent);
                    tried.put(indent, new ArrayList<>());
                    open(indent, tokens, LIKELY, "", List.of());
                }
                case "except" -> {
                    List<Import> failing = tried.getOrDefault(indent, List.of());
                    open(indent, tokens, failing.isEmpty() ? HANDLER : 1, "", List.copyOf(failing));
                }
                default -> {
                    // Opens no block.
                }
            }
        }

        /** Opens the block of a header; the rest of the line behind the colon is its body. */
        private void open(int indent, List<Token> tokens, double factor, String function, List<Import> unless) {
            if (blocks.size() < MAX_BLOCKS) {
                blocks.push(new Block(indent, factor, function, unless));
                int colon = colon(tokens);
                if (colon + 1 < tokens.size()) {
                    statement(indent + 1, tokens.subList(colon + 1, tokens.size()));
                }
            }
        }

        private static int colon(List<Token> tokens) {
            int depth = 0;
            boolean lambda = false;
            for (int i = 0; i < tokens.size(); i++) {
                Token token = tokens.get(i);
                if (token.is("(") || token.is("[") || token.is("{")) {
                    depth++;
                } else if (token.is(")") || token.is("]") || token.is("}")) {
                    depth--;
                } else if (token.is(":") && depth <= 0 && !lambda) {
                    return i;
                }
                lambda = token.is("lambda") || (lambda && !(token.is(":") && depth <= 0));
            }
            return tokens.size();
        }

        /** The probability that a condition holds; it is known of few. */
        private static double probability(List<Token> condition) {
            if (condition.size() > 4
                    || !NEVER.contains(
                            Scanner.at(condition, condition.size() - 1).text())) {
                return UNKNOWN;
            }
            return Scanner.at(condition, 0).is("not") ? 1 : 0;
        }

        private void plain(List<Token> tokens) {
            StringBuilder module = new StringBuilder();
            String alias = "";
            for (int i = 1; i <= tokens.size(); i++) {
                Token token = Scanner.at(tokens, i);
                if (i == tokens.size() || token.is(",")) {
                    String name = module.toString();
                    int dot = name.indexOf('.');
                    String top = dot < 0 ? name : name.substring(0, dot);
                    aliases.put(alias.isEmpty() ? top : alias, alias.isEmpty() ? top : name);
                    add(0, name, List.of());
                    module.setLength(0);
                    alias = "";
                } else if (token.is("as")) {
                    alias = Scanner.at(tokens, ++i).text();
                } else {
                    module.append(token.text());
                }
            }
        }

        private void from(List<Token> tokens) {
            StringBuilder module = new StringBuilder();
            int at = 1;
            while (Scanner.at(tokens, at).is(".")) {
                at++;
            }
            int level = at - 1;
            while (at < tokens.size() && !tokens.get(at).is("import")) {
                module.append(tokens.get(at++).text());
            }
            List<String> names = new ArrayList<>();
            for (at++; at < tokens.size(); at++) {
                if (tokens.get(at).is("as")) {
                    at++;
                } else if (tokens.get(at).isName() || tokens.get(at).is("*")) {
                    names.add(tokens.get(at).text());
                }
            }
            add(level, module.toString(), names);
        }

        private void add(int level, String module, List<String> names) {
            double confidence = factor();
            if (confidence <= 0 || (level == 0 && module.isEmpty())) {
                return;
            }
            List<Import> unless = blocks.stream()
                    .map(Block::unless)
                    .filter(list -> !list.isEmpty())
                    .findFirst()
                    .orElse(List.of());
            Import one = new Import(level, module, List.copyOf(names), confidence, function(), unless);
            imports.add(one);
            if (unless.isEmpty()) {
                blocks.stream()
                        .map(block -> tried.get(block.indent))
                        .filter(list -> list != null && list.size() < MAX_BLOCKS)
                        .findFirst()
                        .ifPresent(list -> list.add(one));
            }
        }
    }
}
