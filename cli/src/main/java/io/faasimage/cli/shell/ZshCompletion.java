package io.faasimage.cli.shell;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion for zsh's own system (zshcompsys(1)), with a description of each option: one function a command. */
final class ZshCompletion {
    private final CommandSpec root;
    private final StringBuilder script = new StringBuilder();

    ZshCompletion(CommandLine root) {
        this.root = root.getCommandSpec();
    }

    /** The file {@code _faasimage}. */
    String script() {
        script.append("#compdef ").append(root.name()).append("\n\n");
        command(root);
        // Read by compinit it is the function's body; sourced, it only defines.
        script.append("""
                if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
                  %1$s "$@"
                else
                  compdef %1$s %2$s
                fi
                """.formatted(function(root), root.name()));
        return script.toString();
    }

    private void command(CommandSpec command) {
        List<CommandSpec> subcommands = CommandTexts.subcommands(command);
        List<String> arguments = new ArrayList<>();
        CommandTexts.options(command).forEach(option -> arguments.add(option(option)));
        if (subcommands.isEmpty()) {
            CommandTexts.parameters(command).forEach(p -> arguments.add(parameter(p)));
        } else {
            arguments.add("'1: :->command'");
            arguments.add("'*:: :->rest'");
        }
        script.append(function(command)).append("() {\n");
        script.append("  local context state state_descr line\n  typeset -A opt_args\n");
        script.append("  _arguments -C \\\n    ")
                .append(String.join(" \\\n    ", arguments))
                .append(subcommands.isEmpty() ? "\n" : " && return\n");
        if (!subcommands.isEmpty()) {
            dispatch(subcommands);
        }
        script.append("}\n\n");
        subcommands.forEach(this::command);
    }

    private void dispatch(List<CommandSpec> subcommands) {
        script.append("  case $state in\n    command)\n      local -a commands=(\n");
        for (CommandSpec sub : subcommands) {
            String text = CommandTexts.sentence(CommandTexts.description(sub));
            script.append("        ")
                    .append(quoted(sub.name() + ":" + text.replace(":", "\\:")))
                    .append('\n');
        }
        script.append("      )\n      _describe command commands\n      ;;\n    rest)\n      case $line[1] in\n");
        for (CommandSpec sub : subcommands) {
            script.append("        ")
                    .append(sub.name())
                    .append(") ")
                    .append(function(sub))
                    .append(" ;;\n");
        }
        script.append("      esac\n      ;;\n  esac\n");
    }

    /** {@code '(-q --quiet)'{-q,--quiet}'[description]:label:action'}. */
    private static String option(OptionSpec option) {
        List<String> names = List.of(option.names());
        String text = "[" + escaped(CommandTexts.sentence(CommandTexts.description(option))) + "]";
        String value =
                CommandTexts.hasValue(option) ? ":" + escaped(CommandTexts.label(option)) + ":" + action(option) : "";
        boolean again = option.isMultiValue();
        if (names.size() == 1) {
            return quoted((again ? "*" : "") + names.getFirst() + text + value);
        }
        return quoted("(" + String.join(" ", names) + ")") + "{" + String.join(",", names) + "}" + quoted(text + value);
    }

    private static String parameter(ArgSpec parameter) {
        return quoted((parameter.isMultiValue() ? "*" : "") + ":" + escaped(CommandTexts.label(parameter)) + ":"
                + action(parameter));
    }

    private static String action(ArgSpec argument) {
        List<String> choices = CommandTexts.choices(argument);
        if (!choices.isEmpty()) {
            return choices.stream().map(ZshCompletion::escaped).collect(Collectors.joining(" ", "(", ")"));
        }
        if (argument.type() != Path.class) {
            return " ";
        }
        return CommandTexts.label(argument).contains("DIR") ? "_files -/" : "_files";
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("[", "\\[")
                .replace("]", "\\]")
                .replace(":", "\\:");
    }

    private static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    private static String function(CommandSpec command) {
        return "_" + command.qualifiedName("_").replace('-', '_');
    }
}
