package io.faasimage.builder.worker;

import static io.faasimage.builder.worker.BuilderOption.DATA;
import static io.faasimage.builder.worker.BuilderOption.INSECURE;
import static io.faasimage.builder.worker.BuilderOption.NAME;
import static io.faasimage.builder.worker.BuilderOption.OF_WATCHDOG;
import static io.faasimage.builder.worker.BuilderOption.REGISTRY;
import static io.faasimage.builder.worker.BuilderOption.REGISTRY_CA;
import static io.faasimage.builder.worker.BuilderOption.RUNC;
import static io.faasimage.builder.worker.BuilderOption.SERVICE_CA;
import static io.faasimage.builder.worker.BuilderOption.SERVICE_CERT;
import static io.faasimage.builder.worker.BuilderOption.SERVICE_KEY;
import static io.faasimage.builder.worker.BuilderOption.SERVICE_NAME;
import static io.faasimage.builder.worker.BuilderOption.SUPERVISED;
import static io.faasimage.builder.worker.BuilderOption.TOKEN_FILE;

import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.client.TokenFile;
import io.faasimage.api.client.TransportOptions;
import io.faasimage.api.option.OptionParser;
import io.faasimage.api.option.OptionValues;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** The parser of the command line. */
final class Options {
    static final OptionParser<BuilderOption> PARSER = new OptionParser<>("faasimage-builder", BuilderOption.values());

    private static final int MAX_TOKEN = 4096;

    private final OptionValues<BuilderOption> values;
    private final InputStream input;

    private Options(OptionValues<BuilderOption> values, InputStream input) {
        this.values = values;
        this.input = input;
    }

    /**
     * The configuration that {@code arguments} describe.
     *
     * @param input that has the token of a supervised builder
     * @throws IllegalArgumentException whose message is for the user
     * @throws IOException when the token cannot be read
     */
    static WorkerConfig parse(List<String> arguments, InputStream input) throws IOException {
        return new Options(PARSER.parse(arguments), input).config();
    }

    private WorkerConfig config() throws IOException {
        List<URI> services = ServiceConfig.parse(values.required(REGISTRY));
        TransportOptions transport = TransportOptions.of(
                values.text(SERVICE_CA),
                values.text(SERVICE_CERT),
                values.text(SERVICE_KEY),
                values.text(SERVICE_NAME),
                values.text(INSECURE));
        boolean supervised = isYes(SUPERVISED);
        Supplier<Optional<String>> token = token(supervised);
        if (token.get().isPresent()) {
            transport.check(services, INSECURE.option() + " yes");
        }
        Optional<Path> watchdog = values.text(OF_WATCHDOG).map(Path::of);
        if (watchdog.isPresent() && !Files.isExecutable(watchdog.get())) {
            throw new IllegalArgumentException(
                    OF_WATCHDOG.option() + " " + watchdog.get() + " is not a program; give of-watchdog's path");
        }
        return new WorkerConfig(
                services,
                token,
                transport,
                supervised,
                Path.of(values.text(DATA, "/var/lib/faasimage-builder")).toAbsolutePath(),
                values.text(NAME).orElseGet(Options::machine),
                values.text(RUNC, "runc"),
                watchdog,
                values.text(REGISTRY_CA).map(Path::of));
    }

    private boolean isYes(BuilderOption option) {
        String text = values.text(option, "no");
        if (!text.equals("yes") && !text.equals("no")) {
            throw new IllegalArgumentException(option.option() + " must be yes or no, not '" + text + "'");
        }
        return text.equals("yes");
    }

    private Supplier<Optional<String>> token(boolean supervised) throws IOException {
        Optional<String> file = values.text(TOKEN_FILE);
        if (supervised && file.isPresent()) {
            throw new IllegalArgumentException("with " + SUPERVISED.option()
                    + " yes the token is a line of the standard input, and not in " + TOKEN_FILE.option());
        }
        if (supervised) {
            String line = firstLine(input);
            return () -> Optional.of(line);
        }
        return file.isEmpty() ? Optional::empty : new TokenFile(Path.of(file.get()));
    }

    /** Byte by byte: what follows is not ours to read. */
    private static String firstLine(InputStream input) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = input.read(); b >= 0 && b != '\n'; b = input.read()) {
            line.write(b);
            if (line.size() > MAX_TOKEN) {
                throw new IllegalArgumentException("the first line of the standard input is no token");
            }
        }
        return line.toString(StandardCharsets.US_ASCII).strip();
    }

    /** Another one at each start. */
    private static String machine() {
        String suffix = UUID.randomUUID().toString().substring(0, 8);
        try {
            return InetAddress.getLocalHost().getHostName() + " " + suffix;
        } catch (UnknownHostException e) {
            // A machine whose name nobody resolves; the name is for logs alone.
            return "builder " + suffix;
        }
    }
}
