package io.faasimage.docker.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The arguments after a command's name, taken apart into options and the rest. */
final class Arguments {
    private final String command;
    private final Map<String, List<String>> values = new HashMap<>();
    private final List<String> rest = new ArrayList<>();

    private Arguments(String command) {
        this.command = command;
    }

    /**
     * What a command takes.
     *
     * @param switches options without a value
     * @param valued options with one
     * @param optionsAnywhere whether options may follow other arguments
     */
    record Syntax(Set<String> switches, Set<String> valued, boolean optionsAnywhere) {}

    /** Takes {@code arguments} apart. */
    static Arguments parse(String command, List<String> arguments, Syntax syntax) throws UsageException {
        Arguments parsed = new Arguments(command);
        int i = 0;
        while (i < arguments.size()) {
            String argument = arguments.get(i++);
            if (argument.equals("--")) {
                parsed.rest.addAll(arguments.subList(i, arguments.size()));
                break;
            }
            if (!argument.startsWith("-") || argument.equals("-")) {
                parsed.rest.add(argument);
                if (!syntax.optionsAnywhere()) {
                    parsed.rest.addAll(arguments.subList(i, arguments.size()));
                    break;
                }
                continue;
            }
            int equals = argument.startsWith("--") ? argument.indexOf('=') : -1;
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (syntax.switches().contains(name) && equals < 0) {
                parsed.put(name, "true");
            } else if (!syntax.valued().contains(name)) {
                throw parsed.wrong(
                        (name.startsWith("--") ? "unknown flag: " : "unknown shorthand flag: ") + argument, syntax);
            } else if (equals >= 0) {
                parsed.put(name, argument.substring(equals + 1));
            } else if (i < arguments.size()) {
                parsed.put(name, arguments.get(i++));
            } else {
                throw parsed.wrong("flag needs an argument: " + name, syntax);
            }
        }
        return parsed;
    }

    private void put(String name, String value) {
        values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
    }

    private UsageException wrong(String what, Syntax syntax) {
        List<String> known = new ArrayList<>(syntax.switches());
        known.addAll(syntax.valued());
        known.sort(null);
        return wrong(what + "; faasimage-docker " + command + " takes "
                + (known.isEmpty() ? "no options" : String.join(" ", known)));
    }

    /** A mistake in this command's arguments, with docker's exit code for it. */
    UsageException wrong(String what) {
        return new UsageException(what, command.equals("run") ? 125 : 1);
    }

    boolean has(String... names) {
        return java.util.Arrays.stream(names).anyMatch(values::containsKey);
    }

    List<String> all(String... names) {
        List<String> all = new ArrayList<>();
        for (String name : names) {
            all.addAll(values.getOrDefault(name, List.of()));
        }
        return all;
    }

    /** The last value, as docker takes it. */
    Optional<String> last(String... names) {
        List<String> all = all(names);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
    }

    List<String> rest() {
        return rest;
    }

    /** The rest when it is not empty. */
    List<String> some(String what) throws UsageException {
        if (rest.isEmpty()) {
            throw wrong("\"docker " + command + "\" requires at least 1 argument: " + what);
        }
        return rest;
    }

    /** The rest when it is exactly one. */
    String one(String what) throws UsageException {
        if (rest.size() != 1) {
            throw wrong("\"docker " + command + "\" requires exactly 1 argument: " + what);
        }
        return rest.getFirst();
    }
}
