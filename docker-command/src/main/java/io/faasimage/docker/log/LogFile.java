package io.faasimage.docker.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;

/** A json-file log that is written. What comes after its limit is left out, and said so once. Thread-safe. */
final class LogFile implements AutoCloseable {
    private final FileChannel channel;
    private final Clock clock;
    private final long limit;
    private long size;

    private LogFile(FileChannel channel, Clock clock, long limit, long size) {
        this.channel = channel;
        this.clock = clock;
        this.limit = limit;
        this.size = size;
    }

    /**
     * Opens a log, which is made when there is none; a line that was cut when its writer was killed is removed.
     *
     * @param limit most bytes of the file
     */
    static LogFile open(Path file, Clock clock, long limit) throws IOException {
        FileChannel channel = FileChannel.open(
                file,
                java.util.Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----")));
        long end = wholeLines(channel, Files.size(file));
        channel.truncate(end);
        channel.position(end);
        return new LogFile(channel, clock, limit, end);
    }

    private static long wholeLines(FileChannel channel, long size) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        long end = size;
        while (end > 0) {
            one.clear();
            channel.read(one, end - 1);
            if (one.get(0) == '\n') {
                return end;
            }
            end--;
        }
        return 0;
    }

    /** Writes an entry with the present time. */
    synchronized void append(String stream, String text) throws IOException {
        if (size > limit) {
            return;
        }
        String line = new LogEntry(text, stream, clock.instant()).json() + "\n";
        byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
        size += bytes.length;
        if (size > limit) {
            String note = "faasimage-docker: the log has reached its limit of " + limit + " bytes\n";
            bytes = (new LogEntry(note, "stderr", clock.instant()).json() + "\n").getBytes(StandardCharsets.UTF_8);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
