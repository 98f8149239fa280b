package io.faasimage.gate;

import static io.faasimage.gate.GateOption.AGENT;
import static io.faasimage.gate.GateOption.ATTEMPTS;
import static io.faasimage.gate.GateOption.CONCURRENT;
import static io.faasimage.gate.GateOption.CONNECTION;
import static io.faasimage.gate.GateOption.CONTROL;
import static io.faasimage.gate.GateOption.FETCH_CAP;
import static io.faasimage.gate.GateOption.FETCH_TIMEOUT;
import static io.faasimage.gate.GateOption.IMAGES;
import static io.faasimage.gate.GateOption.INSECURE;
import static io.faasimage.gate.GateOption.MOUNT;
import static io.faasimage.gate.GateOption.REGISTRY;
import static io.faasimage.gate.GateOption.SERVICE_CA;
import static io.faasimage.gate.GateOption.SERVICE_CERT;
import static io.faasimage.gate.GateOption.SERVICE_KEY;
import static io.faasimage.gate.GateOption.SERVICE_NAME;
import static io.faasimage.gate.GateOption.STORE;
import static io.faasimage.gate.GateOption.TOKEN_FILE;
import static io.faasimage.gate.GateOption.WAITING;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.TokenFile;
import io.faasimage.api.client.TransportOptions;
import io.faasimage.api.option.OptionParser;
import io.faasimage.api.option.OptionValues;
import io.faasimage.gate.fetch.FetchLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The parser of the command line. */
final class Options {
    static final OptionParser<GateOption> PARSER = new OptionParser<>("faasimage-gate", GateOption.values());

    private static final int MOST = 1_000_000;

    private final OptionValues<GateOption> values;

    private Options(OptionValues<GateOption> values) {
        this.values = values;
    }

    /**
     * The configuration that {@code arguments} describe.
     *
     * @throws IllegalArgumentException whose message is for the user
     * @throws IOException when the token file cannot be read
     */
    static GateConfig parse(List<String> arguments) throws IOException {
        return new Options(PARSER.parse(arguments)).config();
    }

    private GateConfig config() throws IOException {
        FetchLimits byDefault = FetchLimits.DEFAULT;
        FetchLimits limits = new FetchLimits(
                duration(FETCH_TIMEOUT, byDefault.stall()),
                byDefault.silence(),
                duration(FETCH_CAP, byDefault.cap()),
                values.number(ATTEMPTS, byDefault.attempts(), 1, MOST),
                byDefault.firstBackoff(),
                byDefault.longestBackoff(),
                values.number(CONCURRENT, byDefault.concurrent(), 1, MOST),
                values.number(WAITING, byDefault.waiting(), 1, MOST));
        return new GateConfig(
                Path.of(values.required(STORE)),
                Path.of(values.required(MOUNT)),
                values.text(CONNECTION).map(GateConfig.Connection::parse),
                values.text(IMAGES).map(Path::of),
                values.text(REGISTRY).map(ServiceConfig::parse).orElse(List.of()),
                transport(),
                token(values.text(TOKEN_FILE)),
                Path.of(values.required(CONTROL)),
                values.text(AGENT).map(Path::of),
                limits);
    }

    private TransportOptions transport() {
        TransportOptions transport = TransportOptions.of(
                values.text(SERVICE_CA),
                values.text(SERVICE_CERT),
                values.text(SERVICE_KEY),
                values.text(SERVICE_NAME),
                values.text(INSECURE));
        if (values.text(TOKEN_FILE).isPresent() && values.text(REGISTRY).isPresent()) {
            transport.check(ServiceConfig.parse(values.required(REGISTRY)), INSECURE.option() + " yes");
        }
        return transport;
    }

    /** A number of seconds ({@code 10s}) or milliseconds ({@code 500ms}). */
    private Duration duration(GateOption option, Duration byDefault) {
        Optional<String> given = values.text(option);
        return given.isEmpty() ? byDefault : duration(option.option(), given.get());
    }

    private static Duration duration(String name, String text) {
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

    private static Supplier<Optional<String>> token(Optional<String> file) throws IOException {
        return file.isEmpty() ? Optional::empty : new TokenFile(Path.of(file.get()));
    }
}
