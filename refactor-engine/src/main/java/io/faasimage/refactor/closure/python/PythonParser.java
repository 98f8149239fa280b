package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.python.PythonLexer.Line;
import io.faasimage.refactor.closure.python.PythonLexer.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A parser of the lines of a Python source, with the compound statements that are open. It decides how probable it is
 * that a run gets to each import. Not thread-safe.
 */
final class PythonParser {
    private static final int MAX_STRING = 200;
    private static final int MAX_BLOCKS = 200;
    private static final double TRY = 0.95;
    private static final double LOOP = 0.9;
    private static final double HANDLER = 0.1;
    private static final double CALLED = 0.9;
    private static final Set<String> STARTERS = Set.of("subprocess", "popen", "Popen", "system", "spawn", "execvp");
    private static final int MAX_ATTRIBUTES = 10_000;

    /** A compound statement that is open: its header's indentation, and how probable its body is. */
    private record Block(int indent, double factor, Optional<String> function, List<PythonImport> unless) {}

    private final Map<String, Boolean> constants = new HashMap<>();
    private final PythonCondition conditions;
    private final Deque<Block> blocks = new ArrayDeque<>();
    private final List<PythonImport> imports = new ArrayList<>();
    private final Map<String, Set<String>> calls = new HashMap<>();
    /** Imported modules by the name that they are bound to. */
    private final Map<String, String> aliases = new HashMap<>();

    private final Map<String, Boolean> attributes = new LinkedHashMap<>();
    private final Set<String> strings = new LinkedHashSet<>();
    /** How probable it is that no branch so far was taken, by indentation of the {@code if}. */
    private final Map<Integer, Double> remaining = new HashMap<>();

    private final Map<Integer, List<PythonImport>> tried = new HashMap<>();
    private boolean starts;
    private boolean extendsPath;

    PythonParser(int minor, boolean main) {
        this.conditions = new PythonCondition(minor, main, constants);
    }

    PythonSource result() {
        return new PythonSource(
                imports, calls, attributes, strings, calls.containsKey("__getattr__"), starts, extendsPath);
    }

    void line(Line line) {
        while (!blocks.isEmpty() && blocks.peek().indent >= line.indent()) {
            blocks.pop();
        }
        note(line.tokens());
        statement(line.indent(), line.tokens());
    }

    private void note(List<Token> tokens) {
        Set<String> called = calls.computeIfAbsent(function(), k -> new HashSet<>());
        boolean reachable = factor() > 0 && !tokens.getFirst().is("def");
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            if (token.isString()) {
                if (token.text().length() <= MAX_STRING) {
                    strings.add(token.text());
                }
            } else if (token.isName()) {
                attribute(tokens, i);
                starts |= STARTERS.contains(token.text());
                extendsPath |= i >= 2 && token.is("path") && tokens.get(i - 2).is("sys");
                boolean call = (i + 1 < tokens.size() && tokens.get(i + 1).is("("))
                        || (i > 0 && tokens.get(i - 1).is("@"));
                if (call && reachable) {
                    called.add(token.text());
                }
            }
        }
    }

    private void attribute(List<Token> tokens, int i) {
        String module = aliases.get(tokens.get(i).text());
        boolean used = module != null
                && i + 2 < tokens.size()
                && tokens.get(i + 1).is(".")
                && tokens.get(i + 2).isName()
                && (i == 0 || !tokens.get(i - 1).is("."));
        if (used && attributes.size() < MAX_ATTRIBUTES && factor() > 0) {
            // Defaults of parameters are evaluated where the function is defined.
            boolean atModuleLevel = function().isEmpty();
            attributes.merge(module + "." + tokens.get(i + 2).text(), atModuleLevel, Boolean::logicalOr);
        }
    }

    /** The outermost function that is open: one inside of it may be what it gives to its caller. */
    private String function() {
        String outermost = "";
        for (Block block : blocks) {
            outermost = block.function.orElse(outermost);
        }
        return outermost;
    }

    private double factor() {
        return blocks.stream().mapToDouble(Block::factor).reduce(1, (a, b) -> a * b);
    }

    private void statement(int indent, List<Token> tokens) {
        String word = tokens.getFirst().isName() ? tokens.getFirst().text() : "";
        switch (word) {
            case "import" -> imports(ImportStatement.plain(tokens.subList(1, tokens.size())));
            case "from" -> imports(ImportStatement.from(tokens.subList(1, tokens.size())));
            case "def" -> open(indent, tokens, CALLED, Optional.of(name(tokens, 1)), List.of());
            case "async" -> {
                List<Token> rest = tokens.stream().dropWhile(t -> t.is("async")).toList();
                statement(indent, rest.isEmpty() ? List.of(END) : rest);
            }
            case "class", "with", "finally" -> open(indent, tokens, 1, Optional.empty(), List.of());
            case "if" -> condition(indent, tokens, 1);
            case "elif" -> condition(indent, tokens, remaining.getOrDefault(indent, 1.0));
            case "else" -> open(indent, tokens, remaining.getOrDefault(indent, 1.0), Optional.empty(), List.of());
            case "for", "while" -> {
                remaining.remove(indent);
                open(indent, tokens, LOOP, Optional.empty(), List.of());
            }
            case "try" -> {
                remaining.remove(indent);
                tried.put(indent, new ArrayList<>());
                open(indent, tokens, TRY, Optional.empty(), List.of());
            }
            case "except" -> {
                List<PythonImport> failing = tried.getOrDefault(indent, List.of());
                open(indent, tokens, failing.isEmpty() ? HANDLER : 1, Optional.empty(), failing);
            }
            default -> {
                assignment(tokens);
                calls(tokens);
            }
        }
    }

    private void assignment(List<Token> tokens) {
        if (tokens.size() == 3 && tokens.get(1).is("=")) {
            String value = tokens.get(2).text();
            if (value.equals("True") || value.equals("False")) {
                constants.put(tokens.getFirst().text(), value.equals("True"));
            }
        }
    }

    private static final Token END = new Token(Token.Kind.OTHER, "");

    private static String name(List<Token> tokens, int at) {
        return at < tokens.size() ? tokens.get(at).text() : "";
    }

    private void condition(int indent, List<Token> tokens, double before) {
        int colon = colon(tokens);
        double holds = conditions.probability(tokens.subList(1, Math.max(colon, 1)));
        remaining.put(indent, before * (1 - holds));
        open(indent, tokens, before * holds, Optional.empty(), List.of());
    }

    /** Opens the block of a header; what follows the colon in the same line is its body. */
    private void open(
            int indent, List<Token> tokens, double factor, Optional<String> function, List<PythonImport> unless) {
        if (blocks.size() >= MAX_BLOCKS) {
            return;
        }
        blocks.push(new Block(indent, factor, function, unless));
        int colon = colon(tokens);
        if (colon + 1 < tokens.size()) {
            statement(indent + 1, tokens.subList(colon + 1, tokens.size()));
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
            } else if (token.is("lambda")) {
                lambda = true;
            } else if (token.is(":") && depth <= 0) {
                if (!lambda) {
                    return i;
                }
                lambda = false;
            }
        }
        return tokens.size();
    }

    private void imports(List<ImportStatement> statements) {
        for (ImportStatement statement : statements) {
            if (statement.names().isEmpty() && statement.level() == 0) {
                aliases.put(statement.bound(), statement.alias().isEmpty() ? statement.bound() : statement.module());
            }
            add(statement.level(), statement.module(), statement.names());
        }
    }

    /** {@code __import__("name")} and {@code import_module("name")} with constants. */
    private void calls(List<Token> tokens) {
        for (int i = 0; i + 2 < tokens.size(); i++) {
            boolean imports = tokens.get(i).is("__import__") || tokens.get(i).is("import_module");
            Token argument = tokens.get(i + 2);
            if (imports && tokens.get(i + 1).is("(") && argument.isString()) {
                int level = 0;
                while (level < argument.text().length() && argument.text().charAt(level) == '.') {
                    level++;
                }
                add(level, argument.text().substring(level), List.of());
            }
        }
    }

    private void add(int level, String module, List<String> names) {
        double confidence = factor();
        if (confidence <= 0 || (level == 0 && module.isEmpty())) {
            return;
        }
        List<PythonImport> unless = blocks.stream()
                .map(Block::unless)
                .filter(list -> !list.isEmpty())
                .findFirst()
                .orElse(List.of());
        PythonImport one = new PythonImport(level, module, names, confidence, function(), unless);
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
