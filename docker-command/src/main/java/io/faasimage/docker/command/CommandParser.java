package io.faasimage.docker.command;

import io.faasimage.docker.command.Arguments.Syntax;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Reads the command line: what OpenWhisk sends, and nothing else. */
public final class CommandParser {
    private static final Syntax NONE = new Syntax(Set.of(), Set.of(), true);
    private static final Pattern UNIX_TIME = Pattern.compile("([0-9]{1,12})(?:\\.([0-9]{1,9}))?");
    private static final int LONGEST_FILTER = 256;

    private CommandParser() {}

    /**
     * The command that {@code arguments} describe.
     *
     * @throws UsageException for any other
     */
    public static Command parse(List<String> arguments) throws UsageException {
        String name = arguments.isEmpty() ? "" : arguments.getFirst();
        List<String> rest = arguments.isEmpty() ? List.of() : arguments.subList(1, arguments.size());
        return switch (name) {
            case "version" ->
                new Command.Version(
                        Arguments.parse(name, rest, valued("--format", "-f")).last("--format", "-f"));
            case "--version", "-v" -> new Command.ShortVersion();
            case "info" -> new Command.Info();
            case "images" ->
                new Command.Images(Arguments.parse(name, rest, NONE).one("NAME"));
            case "pull" -> new Command.Pull(Arguments.parse(name, rest, NONE).one("NAME[:TAG|@DIGEST]"));
            case "ps" -> ps(Arguments.parse(name, rest, PS));
            case "run" -> RunParser.parse(rest);
            case "inspect" -> inspect(Arguments.parse(name, rest, valued("--format", "-f")));
            case "logs" -> logs(Arguments.parse(name, rest, LOGS));
            case "pause" -> new Command.Pause(Arguments.parse(name, rest, NONE).some("CONTAINER"));
            case "unpause" ->
                new Command.Unpause(Arguments.parse(name, rest, NONE).some("CONTAINER"));
            case "rm" -> rm(Arguments.parse(name, rest, RM));
            default ->
                throw new UsageException(
                        "docker: '" + name + "' is not a command of faasimage-docker, which knows what OpenWhisk's "
                                + "invoker uses: version, info, images, ps, pull, run, inspect, logs, pause, unpause, rm",
                        1);
        };
    }

    private static final Syntax PS =
            new Syntax(Set.of("--quiet", "-q", "--no-trunc", "--all", "-a", "-aq", "-qa"), Set.of("--filter"), true);
    private static final Syntax LOGS = new Syntax(Set.of("--timestamps", "-t"), Set.of("--since", "--until"), true);
    private static final Syntax RM = new Syntax(Set.of("--force", "-f"), Set.of(), true);

    private static Syntax valued(String... names) {
        return new Syntax(Set.of(), Set.of(names), true);
    }

    private static Command ps(Arguments arguments) throws UsageException {
        if (!arguments.has("--quiet", "-q", "-aq", "-qa") || !arguments.has("--no-trunc")) {
            throw arguments.wrong("ps prints whole IDs here: it needs --quiet --no-trunc");
        }
        if (!arguments.rest().isEmpty()) {
            throw arguments.wrong("\"docker ps\" accepts no arguments");
        }
        List<Pattern> names = new ArrayList<>();
        for (String filter : arguments.all("--filter")) {
            if (!filter.startsWith("name=") || filter.length() > LONGEST_FILTER) {
                throw arguments.wrong("invalid filter '" + filter + "': only name=PATTERN is understood here");
            }
            try {
                names.add(Pattern.compile(filter.substring("name=".length())));
            } catch (PatternSyntaxException e) {
                throw arguments.wrong("invalid filter '" + filter + "': " + e.getDescription());
            }
        }
        return new Command.Ps(arguments.has("--all", "-a", "-aq", "-qa"), names);
    }

    private static Command inspect(Arguments arguments) throws UsageException {
        String format =
                arguments.last("--format", "-f").orElseThrow(() -> arguments.wrong("inspect needs --format here"));
        return new Command.Inspect(arguments.some("NAME|ID"), InspectFormat.of(format));
    }

    private static Command logs(Arguments arguments) throws UsageException {
        return new Command.Logs(
                arguments.one("CONTAINER"),
                time(arguments, "--since"),
                time(arguments, "--until"),
                arguments.has("--timestamps", "-t"));
    }

    private static Optional<Instant> time(Arguments arguments, String option) throws UsageException {
        Optional<String> text = arguments.last(option);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher unix = UNIX_TIME.matcher(text.get());
        if (unix.matches()) {
            String fraction = unix.group(2) == null ? "" : unix.group(2);
            long nanos = Long.parseLong((fraction + "000000000").substring(0, 9));
            return Optional.of(Instant.ofEpochSecond(Long.parseLong(unix.group(1)), nanos));
        }
        try {
            return Optional.of(OffsetDateTime.parse(text.get()).toInstant());
        } catch (DateTimeException e) {
            throw arguments.wrong("invalid value for " + option + ": '" + text.get()
                    + "'; seconds since 1970 or 2026-01-31T12:00:00Z");
        }
    }

    private static Command rm(Arguments arguments) throws UsageException {
        return new Command.Rm(arguments.some("CONTAINER"), arguments.has("--force", "-f"));
    }
}
