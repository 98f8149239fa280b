package io.faasimage.cli.line;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** A command line: the command that it names in a table, with its arguments. */
public final class CommandLine {
    private CommandLine() {}

    /**
     * Runs the command that {@code words} name in the table {@code root}.
     *
     * @param notes the end of the help of the whole
     * @return the exit code
     * @throws IOException when the command fails
     * @throws IllegalArgumentException when the words are wrong; the message is for the user
     */
    public static int run(CommandNode root, String notes, List<String> words, PrintWriter out, PrintWriter err)
            throws IOException {
        CommandNode node = root;
        String path = root.name();
        int depth = 0;
        for (String word : words) {
            Optional<CommandNode> subcommand = node.subcommand(word);
            if (subcommand.isEmpty()) {
                break;
            }
            node = subcommand.get();
            path += " " + word;
            depth++;
        }
        List<String> rest = words.subList(depth, words.size());
        if (wantsHelp(rest)) {
            out.print(node.help(path) + (depth == 0 ? notes : ""));
            return 0;
        }
        try {
            Command command = command(node, rest);
            command.arguments().parse(rest);
            return command.run(out, err);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + "; see " + path + " --help", e);
        }
    }

    private static boolean wantsHelp(List<String> words) {
        return words.stream().takeWhile(word -> !word.equals("--")).anyMatch(List.of("-h", "--help")::contains);
    }

    private static Command command(CommandNode node, List<String> rest) {
        if (!node.subcommands().isEmpty() && !rest.isEmpty() && !rest.getFirst().startsWith("-")) {
            throw node.unknown(rest.getFirst());
        }
        return node.make()
                .orElseThrow(() ->
                        new IllegalArgumentException("missing command: one of " + String.join(", ", node.names())));
    }
}
