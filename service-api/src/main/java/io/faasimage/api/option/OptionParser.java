package io.faasimage.api.option;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A parser of command lines: {@code --name VALUE} or {@code --name=VALUE}, and the help. Programs that may be larger
 * use picocli (decision 32).
 *
 * @param <O> the program's options
 */
public final class OptionParser<O extends Option> {
    private static final int WIDTH = 120;
    private static final int HELP_COLUMN = 28;
    /** Most letters that a misspelt option may differ in. */
    private static final int MOST_MISTAKES = 2;

    private final String program;
    private final Map<String, O> options = new LinkedHashMap<>();

    /** Of {@code program}, with these options. */
    public OptionParser(String program, O[] options) {
        this.program = program;
        for (O option : options) {
            this.options.put(option.option(), option);
        }
    }

    /** Whether the arguments ask for the help. */
    public static boolean wantsHelp(List<String> arguments) {
        return arguments.contains("--help") || arguments.contains("-h");
    }

    /**
     * The values that {@code arguments} have.
     *
     * @throws IllegalArgumentException whose message is for the user
     */
    public OptionValues<O> parse(List<String> arguments) {
        Map<O, List<String>> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            O option = options.get(name);
            if (option == null) {
                throw wrong("unknown option '" + name + "'" + suggestion(name));
            }
            if (equals < 0 && i + 1 == arguments.size()) {
                throw wrong(name + " needs a value");
            }
            String value = equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
            if (value.isBlank()) {
                throw wrong(name + " has an empty value");
            }
            List<String> given = values.computeIfAbsent(option, any -> new ArrayList<>());
            if (!given.isEmpty() && !option.repeatable()) {
                throw wrong(name + " is given twice");
            }
            given.add(value);
        }
        return new OptionValues<>(values);
    }

    private IllegalArgumentException wrong(String message) {
        return new IllegalArgumentException(message + "; see " + program + " --help");
    }

    private String suggestion(String name) {
        Optional<String> nearest = options.keySet().stream()
                .filter(known -> distance(known, name) <= MOST_MISTAKES)
                .min(Comparator.comparingInt(known -> distance(known, name)));
        return nearest.map(known -> " (did you mean " + known + "?)").orElse("");
    }

    /** Letters to insert, to remove or to replace (Levenshtein). */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }

    /** The help: a line of usage, and each option with its text in a column of its own. */
    public String help() {
        StringBuilder help = new StringBuilder("usage: " + program + " [OPTION VALUE]...");
        for (O option : options.values()) {
            StringBuilder line = new StringBuilder("  " + option.option() + " " + option.value());
            pad(line, Math.max(HELP_COLUMN, line.length() + 1));
            for (String word : option.help().split(" ", -1)) {
                if (line.length() + word.length() > WIDTH) {
                    append(help, line);
                    line.setLength(0);
                    pad(line, HELP_COLUMN);
                }
                line.append(word).append(' ');
            }
            append(help, line);
        }
        return help.toString();
    }

    private static void pad(StringBuilder line, int length) {
        line.repeat(' ', length - line.length());
    }

    private static void append(StringBuilder help, CharSequence line) {
        help.append('\n').append(line.toString().stripTrailing());
    }
}
