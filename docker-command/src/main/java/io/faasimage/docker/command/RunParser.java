package io.faasimage.docker.command;

import io.faasimage.docker.command.Arguments.Syntax;
import io.faasimage.docker.command.RunOptions.Dns;
import io.faasimage.docker.command.RunOptions.Ulimit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the options of {@code run}. */
final class RunParser {
    private static final Syntax SYNTAX = new Syntax(
            Set.of("-d", "--detach"),
            Set.of(
                    "--cpu-shares",
                    "--cpus",
                    "--memory",
                    "-m",
                    "--memory-swap",
                    "--network",
                    "--net",
                    "-e",
                    "--env",
                    "--name",
                    "--pids-limit",
                    "--cap-drop",
                    "--ulimit",
                    "--log-driver",
                    "--dns",
                    "--dns-search",
                    "--dns-option",
                    "--dns-opt"),
            false);
    private static final Pattern BYTES = Pattern.compile("([0-9]{1,15})([bkmgBKMG]?)[bB]?");
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.-]{1,200}");
    private static final Pattern ULIMIT = Pattern.compile("([a-z]{2,16})=([0-9]{1,18})(?::([0-9]{1,18}))?");
    private static final Pattern CAPABILITY = Pattern.compile("(?:CAP_)?[A-Z_]{3,32}|ALL");
    private static final Pattern WORD = Pattern.compile("[A-Za-z0-9.:_%-]{1,255}");
    private static final BigDecimal BILLION = BigDecimal.valueOf(1_000_000_000);
    private static final long LEAST_MEMORY = 6L << 20;

    private final Arguments arguments;

    private RunParser(Arguments arguments) {
        this.arguments = arguments;
    }

    static Command parse(List<String> rest) throws UsageException {
        return new RunParser(Arguments.parse("run", rest, SYNTAX)).command();
    }

    private Command command() throws UsageException {
        if (!arguments.has("-d", "--detach")) {
            throw arguments.wrong("containers run in the background only here: run needs -d");
        }
        String driver = arguments.last("--log-driver").orElse("json-file");
        if (!driver.equals("json-file")) {
            throw arguments.wrong("log driver '" + driver + "' is not supported; json-file is");
        }
        String network = arguments.last("--network", "--net").orElse("bridge");
        if (!network.equals("bridge") && !network.equals("default")) {
            throw arguments.wrong("network " + network + " not found; there is only 'bridge' here");
        }
        List<String> words = arguments.some("IMAGE [COMMAND] [ARG...]");
        return new Command.Run(words.getFirst(), words.subList(1, words.size()), options());
    }

    private RunOptions options() throws UsageException {
        Optional<Long> memory = memory();
        return new RunOptions(
                matching("--name", NAME),
                environment(),
                memory,
                swap(memory),
                number("--cpu-shares", 0, 262_144).filter(shares -> shares > 0).map(shares -> Math.max(2, shares)),
                cpus(),
                number("--pids-limit", -1, 1 << 22).filter(pids -> pids != 0),
                words("--cap-drop", CAPABILITY),
                ulimits(),
                new Dns(
                        words("--dns", WORD),
                        words("--dns-search", WORD),
                        words(WORD, arguments.all("--dns-option", "--dns-opt"), "--dns-option")));
    }

    private List<String> environment() throws UsageException {
        List<String> environment = new ArrayList<>();
        for (String variable : arguments.all("-e", "--env")) {
            if (variable.indexOf('=') < 1 || variable.indexOf('\0') >= 0) {
                throw arguments.wrong("invalid environment variable '" + variable + "': write NAME=VALUE");
            }
            environment.add(variable);
        }
        return environment;
    }

    private Optional<Long> memory() throws UsageException {
        Optional<Long> memory = bytes("--memory", "-m");
        if (memory.isPresent() && memory.get() < LEAST_MEMORY) {
            throw arguments.wrong("Minimum memory limit allowed is 6MB");
        }
        return memory;
    }

    private Optional<Long> swap(Optional<Long> memory) throws UsageException {
        if (arguments.last("--memory-swap").filter("-1"::equals).isPresent()) {
            return Optional.of(-1L);
        }
        Optional<Long> swap = bytes("--memory-swap");
        if (swap.isPresent() && (memory.isEmpty() || swap.get() < memory.get())) {
            throw arguments.wrong("Minimum memoryswap limit should be larger than memory limit, which must be set too");
        }
        return swap;
    }

    private Optional<Long> bytes(String... names) throws UsageException {
        Optional<String> text = arguments.last(names);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Matcher matcher = BYTES.matcher(text.get());
        if (!matcher.matches()) {
            throw arguments.wrong("invalid size for " + names[0] + ": '" + text.get() + "'; write 256m or 1g");
        }
        int shift = switch (matcher.group(2).toLowerCase(java.util.Locale.ROOT)) {
            case "k" -> 10;
            case "m" -> 20;
            case "g" -> 30;
            default -> 0;
        };
        long count = Long.parseLong(matcher.group(1));
        if (count > Long.MAX_VALUE >> shift) {
            throw arguments.wrong("invalid size for " + names[0] + ": '" + text.get() + "' is too large");
        }
        return count == 0 ? Optional.empty() : Optional.of(count << shift);
    }

    private Optional<Long> number(String name, long least, long most) throws UsageException {
        Optional<String> text = arguments.last(name);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (text.get().matches("-?[0-9]{1,18}")) {
            long number = Long.parseLong(text.get());
            if (number >= least && number <= most) {
                return Optional.of(number);
            }
        }
        throw arguments.wrong(
                "invalid argument \"" + text.get() + "\" for " + name + ": a number from " + least + " to " + most);
    }

    private Optional<Long> cpus() throws UsageException {
        Optional<String> text = arguments.last("--cpus");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        // A double of the JVM may be written with an exponent.
        if (!text.get().matches("[0-9]{1,5}(\\.[0-9]{1,20})?(E-?[0-9]{1,2})?")) {
            throw arguments.wrong("invalid argument \"" + text.get() + "\" for --cpus: write 0.5 or 2");
        }
        long nano = new BigDecimal(text.get()).multiply(BILLION).longValue();
        return nano == 0 ? Optional.empty() : Optional.of(nano);
    }

    private Optional<String> matching(String name, Pattern pattern) throws UsageException {
        Optional<String> text = arguments.last(name);
        if (text.isPresent() && !pattern.matcher(text.get()).matches()) {
            throw arguments.wrong("Invalid container name (" + text.get() + "), only " + pattern + " are allowed");
        }
        return text;
    }

    private List<String> words(String name, Pattern pattern) throws UsageException {
        return words(pattern, arguments.all(name), name);
    }

    private List<String> words(Pattern pattern, List<String> words, String name) throws UsageException {
        for (String word : words) {
            if (!pattern.matcher(word).matches()) {
                throw arguments.wrong("invalid argument \"" + word + "\" for " + name);
            }
        }
        return words;
    }

    private List<Ulimit> ulimits() throws UsageException {
        List<Ulimit> ulimits = new ArrayList<>();
        for (String text : arguments.all("--ulimit")) {
            Matcher matcher = ULIMIT.matcher(text);
            if (!matcher.matches()) {
                throw arguments.wrong("invalid ulimit argument: " + text + "; write NAME=SOFT[:HARD]");
            }
            long soft = Long.parseLong(matcher.group(2));
            long hard = matcher.group(3) == null ? soft : Long.parseLong(matcher.group(3));
            if (soft > hard) {
                throw arguments.wrong(
                        "invalid ulimit argument: " + text + "; the soft limit must not be above the hard one");
            }
            ulimits.add(new Ulimit(matcher.group(1), soft, hard));
        }
        return ulimits;
    }
}
