package io.faasimage.api.client;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A bearer token in the first line of a file that an operator or the agent may replace: read again when the file has
 * changed. Thread-safe.
 */
public final class TokenFile implements Supplier<Optional<String>> {
    private static final Logger LOG = System.getLogger(TokenFile.class.getName());

    private final Path file;
    private FileTime modified;
    private Optional<String> token;
    private boolean readable = true;

    /**
     * The token in {@code file}; none when the file is empty.
     *
     * @throws IOException when it cannot be read
     */
    public TokenFile(Path file) throws IOException {
        this.file = file;
        this.modified = Files.getLastModifiedTime(file);
        this.token = read(file);
    }

    @Override
    public synchronized Optional<String> get() {
        try {
            FileTime now = Files.getLastModifiedTime(file);
            if (!now.equals(modified)) {
                token = read(file);
                modified = now;
            }
            readable = true;
        } catch (IOException e) {
            if (readable) {
                LOG.log(Level.WARNING, "could not read the service's token again, using the last one: " + e);
            }
            readable = false;
        }
        return token;
    }

    private static Optional<String> read(Path file) throws IOException {
        return Files.readString(file).strip().lines().findFirst().map(String::strip);
    }
}
