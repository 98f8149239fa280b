package io.faasimage.gate;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.TokenFile;
import io.faasimage.gate.fetch.FetchLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parser of the command line. */
final class Options {
    static final String USAGE = """
            usage: faasimage-gate --store DIR --mount DIR --registry URL[,URL]... --control SOCKET
                   [--fast DIR] [--images DIR] [--token-file FILE] [--agent SOCKET] [--connection PID:FD]
                   [--fetch-timeout 30s] [--fetch-cap 600s] [--attempts 4] [--concurrent 8] [--waiting 1024]""";

    private static final Set<String> NAMES = Set.of(
            "--store",
            "--fast",
            "--mount",
            "--connection",
            "--images",
            "--registry",
            "--control",
            "--token-file",
            "--agent",
            "--fetch-timeout",
            "--fetch-cap",
            "--attempts",
            "--concurrent",
            "--waiting");

    private final Map<String, String> values;

    private Options(Map<String, String> values) {
        this.values = values;
    }

    /**
     * The configuration that {@code arguments} describe.
     *
     * @throws IllegalArgumentException whose message is for the user
     * @throws IOException when the token file cannot be read
     */
    static GateConfig parse(List<String> arguments) throws IOException {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (!NAMES.contains(name)) {
                throw new IllegalArgumentException("unknown option '" + name + "'\n" + USAGE);
            }
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value\n" + USAGE);
            }
            values.put(name, arguments.get(i + 1));
        }
        return new Options(values).config();
    }

    private GateConfig config() throws IOException {
        FetchLimits byDefault = FetchLimits.DEFAULT;
        FetchLimits limits = new FetchLimits(
                duration("--fetch-timeout", byDefault.stall()),
                byDefault.silence(),
                duration("--fetch-cap", byDefault.cap()),
                number("--attempts", byDefault.attempts()),
                byDefault.firstBackoff(),
                byDefault.longestBackoff(),
                number("--concurrent", byDefault.concurrent()),
                number("--waiting", byDefault.waiting()));
        return new GateConfig(
                Path.of(required("--store")),
                Optional.ofNullable(values.get("--fast")).map(Path::of),
                Path.of(required("--mount")),
                Optional.ofNullable(values.get("--connection")).map(GateConfig.Connection::parse),
                Optional.ofNullable(values.get("--images")).map(Path::of),
                ServiceConfig.parse(required("--registry")),
                token(values.get("--token-file")),
                Path.of(required("--control")),
                Optional.ofNullable(values.get("--agent")).map(Path::of),
                limits);
    }

    private String required(String name) {
        String value = values.get(name);
        if (value == null || value.isEmpty()) {
            throw new IllegalArgumentException(name + " is missing\n" + USAGE);
        }
        return value;
    }

    private int number(String name, int byDefault) {
        String value = values.get(name);
        if (value == null) {
            return byDefault;
        }
        try {
            int number = Integer.parseInt(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " is not a number: '" + value + "'", e);
        }
        throw new IllegalArgumentException(name + " must be positive: " + value);
    }

    /** A number of seconds ({@code 10s}) or milliseconds ({@code 500ms}). */
    private Duration duration(String name, Duration byDefault) {
        String text = values.get(name);
        if (text == null) {
            return byDefault;
        }
        try {
            Duration duration = text.endsWith("ms")
                    ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                    : Duration.ofSeconds(
                            Long.parseLong(text.endsWith("s") ? text.substring(0, text.length() - 1) : text));
            if (duration.isPositive()) {
                return duration;
            }
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException(name + " is not a time such as 10s or 500ms: '" + text + "'", e);
        }
        throw new IllegalArgumentException(name + " must be positive: " + text);
    }

    private static Supplier<Optional<String>> token(@Nullable String file) throws IOException {
        return file == null ? Optional::empty : new TokenFile(Path.of(file));
    }
}
