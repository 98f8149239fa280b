package io.faasimage.docker.log;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/** Reads a log from its begin to its end at the time. */
public final class LogReader {
    private LogReader() {}

    /** Takes entries. */
    public interface Sink {
        /** Takes the next one. */
        void take(LogEntry entry) throws IOException;
    }

    /**
     * Gives {@code sink} the entries of a time.
     *
     * @param since the first moment
     * @param until the last moment
     */
    public static void read(Path file, Optional<Instant> since, Optional<Instant> until, Sink sink) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(file)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Optional<LogEntry> entry = LogEntry.parse(line);
                if (entry.isPresent() && within(entry.get().time(), since, until)) {
                    sink.take(entry.get());
                }
            }
        } catch (NoSuchFileException e) {
            // A container that has not started has printed nothing.
            return;
        }
    }

    private static boolean within(Instant time, Optional<Instant> since, Optional<Instant> until) {
        return since.filter(time::isBefore).isEmpty()
                && until.filter(time::isAfter).isEmpty();
    }
}
