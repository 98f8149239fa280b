package io.faasimage.gate.fetch;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The registry's bearer token, from a file that an operator may replace, or none. Thread-safe. */
public final class RegistryToken {
    private static final Logger LOG = System.getLogger(RegistryToken.class.getName());

    private final Optional<Path> file;
    private volatile Optional<String> value;

    private RegistryToken(Optional<Path> file) throws IOException {
        this.file = file;
        this.value = file.isPresent() ? read(file.get()) : Optional.empty();
    }

    /** No token, for good. */
    public static RegistryToken none() throws IOException {
        return new RegistryToken(Optional.empty());
    }

    /** The content of {@code file}, which must be there. */
    public static RegistryToken in(Path file) throws IOException {
        return new RegistryToken(Optional.of(file));
    }

    /** As last read; empty when the file is. */
    public Optional<String> value() {
        return value;
    }

    /** Reads the file again; true when there is another token now than the {@code refused} one. */
    boolean rereadAfter(Optional<String> refused) {
        if (file.isPresent()) {
            try {
                value = read(file.get());
            } catch (IOException e) {
                LOG.log(Level.WARNING, "the registry refused the token, and it cannot be read again: " + e);
            }
        }
        return !value.equals(refused);
    }

    private static Optional<String> read(Path file) throws IOException {
        return Optional.of(Files.readString(file).strip()).filter(token -> !token.isEmpty());
    }
}
