package io.faasimage.cli.shell;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The help texts of commands and options, without markup and with the variables resolved. */
final class CommandTexts {
    private CommandTexts() {}

    static String description(CommandSpec command) {
        return plain(String.join(" ", command.usageMessage().description()));
    }

    static String description(ArgSpec argument) {
        return plain(String.join(" ", argument.description()));
    }

    /** The first sentence of {@code text}. */
    static String sentence(String text) {
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end + 1);
    }

    /** The subcommands that are shown, in order. */
    static List<CommandSpec> subcommands(CommandSpec command) {
        return command.subcommands().values().stream()
                .map(CommandLine::getCommandSpec)
                .filter(c -> !c.usageMessage().hidden())
                .distinct()
                .toList();
    }

    /** The options that are shown, in order. */
    static List<OptionSpec> options(CommandSpec command) {
        return command.options().stream().filter(o -> !o.hidden()).toList();
    }

    /** The positional parameters, in order. */
    static List<PositionalParamSpec> parameters(CommandSpec command) {
        return command.positionalParameters();
    }

    /** Whether {@code option} has a value. */
    static boolean hasValue(OptionSpec option) {
        return option.arity().max() > 0;
    }

    /** The value's name as a manual writes it: picocli takes a field's when it has no other. */
    static String label(ArgSpec argument) {
        String label = argument.paramLabel().replaceAll("[<>]", "");
        return !label.contains("|") && !label.contains("=")
                ? label.replaceAll("([a-z])([A-Z])", "$1-$2").toUpperCase(Locale.ROOT)
                : label;
    }

    /** The values from which one is chosen; none when any will do. */
    static List<String> choices(ArgSpec argument) {
        if (argument.completionCandidates() != null) {
            List<String> candidates = new java.util.ArrayList<>();
            argument.completionCandidates().forEach(candidates::add);
            return candidates;
        }
        String label = label(argument);
        return label.contains("|") ? Arrays.asList(label.split("\\|")) : List.of();
    }

    private static String plain(String marked) {
        return Help.Ansi.OFF
                .string(marked)
                .replace("%n", " ")
                .replace("%%", "%")
                .strip();
    }
}
