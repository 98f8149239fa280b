package io.faasimage.refactor.closure.command;

import io.faasimage.refactor.closure.reads.Invocation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The commands that shell text runs, with its variables. Branches are not decided: commands in them are less probable.
 * Nothing follows an unconditional {@code exec}.
 */
final class ShellScript {
    private static final double CERTAIN = 0.95;
    private static final double NESTED = 0.5;
    /** In a script that has the name of the program: it is there to start that. */
    private static final double WRAPPED = 0.9;

    private static final int MAX_NESTING = 8;
    private static final Set<String> OPENS = Set.of("if", "for", "while", "until", "case", "{");
    private static final Set<String> CLOSES = Set.of("fi", "done", "esac", "}");
    private static final Set<String> PREFIXES =
            Set.of("then", "else", "elif", "do", "!", "time", "command", "builtin", "if", "while", "until", "{");
    private static final Set<String> BUILTINS = Set.of(
            "[",
            "[[",
            "]]",
            "test",
            "echo",
            "printf",
            "cd",
            "set",
            "shift",
            "export",
            "readonly",
            "local",
            "declare",
            "unset",
            "return",
            "exit",
            "trap",
            "umask",
            "ulimit",
            "wait",
            "true",
            "false",
            ":",
            "eval",
            "read",
            "let",
            "for",
            "case",
            "in",
            "fi",
            "done",
            "esac",
            "}",
            "typeset",
            "alias",
            "break",
            "continue",
            "getopts",
            "hash",
            "kill",
            "pwd",
            "times",
            "type",
            "shopt",
            "source",
            ".",
            "exec",
            "function",
            "select");

    private final Invocation shell;
    private final Predicate<Invocation> isProgram;
    private final Consumer<Invocation> commands;
    private final Map<String, String> variables;
    private List<String> parameters;
    private String directory;
    private int depth;
    private int groups;
    private boolean ended;

    /**
     * A script's run.
     *
     * @param shell whose environment, directory and confidence hold; its words are the script's parameters
     * @param isProgram whether a command's program is in the image
     * @param commands takes what is run
     */
    ShellScript(
            Invocation shell, List<String> parameters, Predicate<Invocation> isProgram, Consumer<Invocation> commands) {
        this.shell = shell;
        this.parameters = parameters;
        this.isProgram = isProgram;
        this.commands = commands;
        this.variables = new LinkedHashMap<>(shell.environment());
        this.directory = shell.directory();
    }

    void run(String text) {
        run(text, 0);
    }

    private void run(String text, int nesting) {
        List<String> command = new ArrayList<>();
        for (String token : ShellLexer.tokens(text)) {
            if (ended) {
                return;
            }
            if (ShellLexer.isSeparator(token)) {
                simple(command, nesting);
                command.clear();
                group(token);
            } else {
                command.add(token);
            }
        }
        simple(command, nesting);
    }

    /** A closing parenthesis without an opening one ends a pattern of {@code case}. */
    private void group(String separator) {
        if (separator.equals("(")) {
            groups++;
            depth++;
        } else if (separator.equals(")") && groups > 0) {
            groups--;
            depth--;
        }
    }

    private void simple(List<String> tokens, int nesting) {
        int from = 0;
        while (from < tokens.size() && (PREFIXES.contains(tokens.get(from)) || CLOSES.contains(tokens.get(from)))) {
            nest(tokens.get(from++));
        }
        if (from < tokens.size() && OPENS.contains(tokens.get(from))) {
            nest(tokens.get(from));
            return;
        }
        List<String> words = new ArrayList<>();
        for (String token : tokens.subList(from, tokens.size())) {
            ShellWord word = new ShellWord(token, variables, parameters);
            List<String> expanded = word.expand();
            if (!words.isEmpty() || !assign(token, expanded)) {
                words.addAll(expanded);
            }
            if (nesting < MAX_NESTING) {
                depth++;
                word.substitutions().forEach(inner -> run(inner, nesting + 1));
                depth--;
            }
        }
        words(words);
    }

    private void nest(String word) {
        if (OPENS.contains(word)) {
            depth++;
        } else if (CLOSES.contains(word)) {
            depth--;
        }
    }

    private boolean assign(String token, List<String> expanded) {
        if (!token.matches("(?s)[A-Za-z_]\\w*=.*")) {
            return false;
        }
        String text = expanded.isEmpty() ? token.substring(0, token.indexOf('=') + 1) : expanded.getFirst();
        int equals = text.indexOf('=');
        if (equals > 0 && (depth <= 0 || !variables.containsKey(text.substring(0, equals)))) {
            variables.put(text.substring(0, equals), text.substring(equals + 1));
        }
        return true;
    }

    private void words(List<String> words) {
        if (words.isEmpty()) {
            return;
        }
        String name = words.getFirst();
        List<String> rest = words.subList(1, words.size());
        switch (name) {
            case "exec" -> {
                List<String> command =
                        rest.stream().dropWhile(word -> word.startsWith("-")).toList();
                command(command);
                ended = depth <= 0 && !command.isEmpty();
            }
            case "export" -> rest.forEach(word -> assign(word, List.of(word)));
            case "set" -> parameters(rest);
            case "cd" -> rest.stream().findFirst().ifPresent(to -> directory = in(to));
            case ".", "source" -> rest.stream().findFirst().ifPresent(file -> command(List.of("sh", in(file))));
            case "eval" -> command(List.of("sh", "-c", String.join(" ", rest)));
            default -> {
                if (!BUILTINS.contains(name)) {
                    command(words);
                }
            }
        }
    }

    private String in(String path) {
        return path.startsWith("/") ? path : directory + "/" + path;
    }

    /** Entry points put their runtime before options, and before words that are no program. */
    private void parameters(List<String> words) {
        if (words.isEmpty() || !words.getFirst().equals("--")) {
            return;
        }
        boolean prepends = !parameters.isEmpty()
                && (parameters.getFirst().startsWith("-") || !isProgram.test(command(parameters, 1)));
        if (depth <= 0 || prepends) {
            parameters = List.copyOf(words.subList(1, words.size()));
        }
    }

    private void command(List<String> words) {
        if (!words.isEmpty() && !words.getFirst().isEmpty()) {
            Invocation command = command(words, depth <= 0 ? CERTAIN : isWrapped(words) ? WRAPPED : NESTED);
            if (isProgram.test(command)) {
                commands.accept(command);
            }
        }
    }

    private boolean isWrapped(List<String> words) {
        String script = variables.getOrDefault("0", "");
        return !script.isEmpty() && baseName(words.getFirst()).equals(baseName(script));
    }

    private static String baseName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private Invocation command(List<String> words, double factor) {
        return new Invocation(words, variables, directory, shell.by(), shell.confidence() * factor);
    }
}
