package io.faasimage.oci;

import io.faasimage.oci.OciException.Kind;
import io.faasimage.oci.OciPush.Content;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * The body of an upload, streamed. It tells failures of its content, which a registry is not to blame for, from those
 * of the connection. A socket has no time limit for writes, so the connection to a registry that takes nothing for too
 * long is closed. For one request.
 */
final class UploadBody extends AbstractHttpEntity {
    private static final int CHUNK_BYTES = 64 << 10;

    private final Content content;
    private final long size;
    private final Duration silence;
    private Runnable stop = () -> {};
    private @Nullable IOException unreadable;
    private volatile boolean stalled;

    /** @param silence the longest time in which the registry takes no chunk */
    UploadBody(Content content, long size, Duration silence) {
        super(ContentType.APPLICATION_OCTET_STREAM, null);
        this.content = content;
        this.size = size;
        this.silence = silence;
    }

    void onStall(Runnable action) {
        stop = action;
    }

    /** The failure of the content, for which the request failed. */
    Optional<IOException> unreadable() {
        return Optional.ofNullable(unreadable);
    }

    /** The reason of the request's failure. */
    IOException reason(IOException e) {
        return stalled
                ? new OciException(Kind.SLOW, "the registry took nothing for " + silence.toMillis() + " ms", e)
                : e;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        byte[] buffer = new byte[CHUNK_BYTES];
        try (InputStream in = getContent()) {
            long left = size;
            while (left > 0) {
                int count = read(in, buffer, (int) Math.min(left, buffer.length));
                if (count < 0) {
                    throw wrongSize("only " + (size - left));
                }
                write(out, buffer, count);
                left -= count;
            }
            if (read(in, buffer, 1) >= 0) {
                throw wrongSize("more");
            }
        }
    }

    private int read(InputStream in, byte[] buffer, int most) throws IOException {
        try {
            return in.read(buffer, 0, most);
        } catch (IOException e) {
            unreadable = e;
            throw e;
        }
    }

    private OciException wrongSize(String found) {
        OciException e =
                new OciException(Kind.MISMATCH, "the content to push has " + found + " instead of " + size + " bytes");
        unreadable = e;
        return e;
    }

    private void write(OutputStream out, byte[] buffer, int count) throws IOException {
        CompletableFuture<Boolean> inTime =
                new CompletableFuture<Boolean>().completeOnTimeout(false, silence.toNanos(), TimeUnit.NANOSECONDS);
        CompletableFuture<Void> _ = inTime.thenAccept(yes -> {
            if (!yes) {
                stalled = true;
                stop.run();
            }
        });
        try {
            out.write(buffer, 0, count);
        } finally {
            inTime.complete(true);
        }
    }

    @Override
    public long getContentLength() {
        return size;
    }

    @Override
    public boolean isStreaming() {
        return true;
    }

    @Override
    public boolean isRepeatable() {
        return false;
    }

    @Override
    public InputStream getContent() throws IOException {
        try {
            return content.open();
        } catch (IOException e) {
            unreadable = e;
            throw e;
        }
    }

    @Override
    public void close() {}
}
