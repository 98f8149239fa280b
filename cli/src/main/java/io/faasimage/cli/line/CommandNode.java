package io.faasimage.cli.line;

import io.faasimage.api.option.HelpText;
import io.faasimage.api.option.Nearest;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node in the table of commands. The class of a command is loaded only when the command is chosen.
 *
 * @param name the word on the command line
 * @param description its effect; the first sentence stands in the list of its level
 * @param command makes it; null if one of its subcommands must be named
 * @param subcommands in the order of the help
 */
public record CommandNode(
        String name, String description, @Nullable Supplier<Command> command, List<CommandNode> subcommands) {
    /** A command, which may have subcommands as well. */
    public static CommandNode command(
            String name, Supplier<Command> command, String description, CommandNode... subcommands) {
        return new CommandNode(name, description, command, List.of(subcommands));
    }

    /** A group of commands. */
    public static CommandNode group(String name, String description, CommandNode... subcommands) {
        return new CommandNode(name, description, null, List.of(subcommands));
    }

    /** The subcommand with this name. */
    public Optional<CommandNode> subcommand(String wanted) {
        for (CommandNode node : subcommands) {
            if (node.name.equals(wanted)) {
                return Optional.of(node);
            }
        }
        return Optional.empty();
    }

    /** Its command, newly made; empty if one of its subcommands must be named. */
    public Optional<Command> make() {
        return Optional.ofNullable(command).map(Supplier::get);
    }

    List<String> names() {
        return subcommands.stream().map(CommandNode::name).toList();
    }

    IllegalArgumentException unknown(String word) {
        return new IllegalArgumentException("unknown command '" + word + "'" + Nearest.hint(word, names()));
    }

    /** The help of the command that is called by {@code path}. */
    String help(String path) {
        Optional<Arguments> arguments = make().map(Command::arguments);
        HelpText help = new HelpText();
        StringBuilder usage = new StringBuilder("usage: " + path);
        if (!subcommands.isEmpty()) {
            usage.append(arguments.isPresent() ? " [COMMAND]" : " COMMAND");
        }
        arguments.ifPresent(declared -> {
            declared.options()
                    .filter(Argument::isRequired)
                    .forEach(o -> usage.append(' ').append(o.usage()));
            usage.append(" [OPTION]...");
            declared.parameters().forEach(parameter -> usage.append(' ').append(parameter.usage()));
        });
        help.line(usage.toString());
        description.lines().forEach(help::line);
        if (!subcommands.isEmpty()) {
            help.line("").line("Commands:");
            subcommands.forEach(node -> help.row(node.name, node.summary()));
        }
        arguments.ifPresent(declared -> {
            help.line("");
            declared.parameters().forEach(each -> help.row(each.syntax(), each.help()));
            declared.options().forEach(each -> help.row(each.syntax(), each.help()));
            help.row("-h, --help", "Print this help.");
        });
        return help.toString();
    }

    private String summary() {
        return description.lines().findFirst().orElse("");
    }
}
