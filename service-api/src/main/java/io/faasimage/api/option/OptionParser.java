package io.faasimage.api.option;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A parser of command lines: {@code --name VALUE} or {@code --name=VALUE}, and the help (decision
 * 32).
 *
 * @param <O> the program's options
 */
public final class OptionParser<O extends Option> {
    private final String program;
    private final Map<String, O> options = new LinkedHashMap<>();

    /** Of {@code program}, with these options. */
    public OptionParser(String program, O[] options) {
        this.program = program;
        for (O option : options) {
            this.options.put(option.option(), option);
        }
    }

    /** Whether the arguments request the help. */
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
                throw wrong("unknown option '" + name + "'" + Nearest.hint(name, options.keySet()));
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

    /** The help: a line of usage, and each option with its text in a column of its own. */
    public String help() {
        HelpText help = new HelpText().line("usage: " + program + " [OPTION VALUE]...");
        options.values().forEach(option -> help.row(option.option() + " " + option.value(), option.help()));
        return help.toString().stripTrailing();
    }
}
