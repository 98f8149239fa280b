package io.faasimage.cli.shell;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The manual page of a command and all its subcommands, in the man(7) macros. */
final class ManualPage {
    private final CommandSpec root;
    private final Map<String, OptionSpec> shared = new LinkedHashMap<>();
    private final StringBuilder page = new StringBuilder();

    ManualPage(CommandSpec root) {
        this.root = root;
        collect(root, shared);
    }

    /** The source of the page. */
    String text() {
        String name = root.name();
        page.append(".\\\" Made from the command's own description.\n");
        macro("TH", name.toUpperCase(Locale.ROOT), "1", "", root.version()[0], "User Commands");
        macro("SH", "NAME");
        line(name + " \\- " + escape(decapitalised(CommandTexts.description(root))));
        macro("SH", "SYNOPSIS");
        synopsis(root);
        macro("SH", "DESCRIPTION");
        line(escape(CommandTexts.description(root)));
        line("Each command prints its own help with");
        line(".BR \\-\\-help .");
        macro("SH", "COMMANDS");
        CommandTexts.subcommands(root).forEach(this::command);
        macro("SH", "OPTIONS OF SEVERAL COMMANDS");
        shared.values().forEach(this::option);
        macro("SH", "EXIT STATUS");
        root.usageMessage().exitCodeList().forEach(this::item);
        macro("SH", "ENVIRONMENT");
        for (String variable : root.usageMessage().footer()) {
            String[] parts = variable.split(" +", 2);
            item(parts[0], parts[1]);
        }
        return page.toString();
    }

    private void command(CommandSpec command) {
        macro("SS", command.qualifiedName(" "));
        synopsis(command);
        macro("PP");
        line(escape(CommandTexts.description(command)));
        for (PositionalParamSpec parameter : CommandTexts.parameters(command)) {
            item(CommandTexts.label(parameter), CommandTexts.description(parameter));
        }
        for (OptionSpec option : CommandTexts.options(command)) {
            if (!shared.containsKey(option.longestName())) {
                option(option);
            }
        }
        CommandTexts.subcommands(command).forEach(this::command);
    }

    private void option(OptionSpec option) {
        macro("TP");
        line(names(option));
        line(escape(CommandTexts.description(option)));
    }

    /** Options that each command would repeat: those of mixins. */
    private static void collect(CommandSpec command, Map<String, OptionSpec> shared) {
        command.mixins().values().stream()
                .flatMap(mixin -> mixin.options().stream())
                .forEach(option -> shared.putIfAbsent(option.longestName(), option));
        CommandTexts.subcommands(command).forEach(sub -> collect(sub, shared));
    }

    private void synopsis(CommandSpec command) {
        StringBuilder line = new StringBuilder("\\fB" + escape(command.qualifiedName(" ")) + "\\fR");
        if (!CommandTexts.options(command).isEmpty()) {
            line.append(" [\\fIOPTION\\fR]...");
        }
        for (PositionalParamSpec parameter : CommandTexts.parameters(command)) {
            String label = "\\fI" + escape(CommandTexts.label(parameter)) + "\\fR";
            line.append(' ').append(parameter.arity().min() == 0 ? "[" + label + "]..." : label);
        }
        List<CommandSpec> subcommands = CommandTexts.subcommands(command);
        if (command.parent() == null) {
            line.append(" \\fICOMMAND\\fR");
        } else if (!subcommands.isEmpty()) {
            line.append(subcommands.stream()
                    .map(CommandSpec::name)
                    .map(ManualPage::escape)
                    .collect(Collectors.joining("|", " [", "]")));
        }
        line(line.toString());
    }

    private static String names(OptionSpec option) {
        String value = CommandTexts.hasValue(option) ? " \\fI" + escape(CommandTexts.label(option)) + "\\fR" : "";
        return List.of(option.names()).stream()
                .map(name -> "\\fB" + escape(name) + "\\fR" + value)
                .collect(Collectors.joining(", "));
    }

    private void item(String name, String text) {
        macro("TP");
        line("\\fB" + escape(name) + "\\fR");
        line(escape(text));
    }

    private void macro(String name, String... arguments) {
        page.append('.').append(name);
        for (String argument : arguments) {
            page.append(" \"").append(escape(argument).replace("\"", "\\(dq")).append('"');
        }
        page.append('\n');
    }

    private void line(String line) {
        page.append(line).append('\n');
    }

    /**
     * What troff would take for itself: backslashes, minus signs that are no hyphens, and controls at a line's begin.
     */
    private static String escape(String text) {
        String escaped = text.replace("\\", "\\e").replace("-", "\\-");
        return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
    }

    private static String decapitalised(String text) {
        String sentence = CommandTexts.sentence(text);
        String bare = sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
        return Character.toLowerCase(bare.charAt(0)) + bare.substring(1);
    }
}
