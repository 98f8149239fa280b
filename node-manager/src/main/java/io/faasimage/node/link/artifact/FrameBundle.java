package io.faasimage.node.link.artifact;

import io.faasimage.format.bundle.BundleWriter;
import io.faasimage.node.link.artifact.FrameParts.Part;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A bundle that is composed while it is read: documents of this process's memory, then frames from packs in a registry.
 * For one thread.
 */
final class FrameBundle extends InputStream {
    /** The next pack is requested when so much of the present one is left: storage cuts answers that nobody reads. */
    private static final long NEAR = 4 << 20;

    private final Opener opener;
    private final Deque<FrameReads> unopened;
    private final Queue<Opened> opened = new ConcurrentLinkedQueue<>();
    private final Deque<Part> parts = new ArrayDeque<>();
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final BundleWriter writer;
    private InputStream memory = InputStream.nullInputStream();
    private InputStream body = InputStream.nullInputStream();
    private long position;
    private long end;
    private long payloadLeft;
    private boolean hasEnded;
    /** The answer that is waited for; it ends when the bundle is closed, by another thread. */
    private volatile CompletableFuture<InputStream> awaited = CompletableFuture.completedFuture(body);

    private volatile boolean isClosed;

    /** An opener of reads. */
    @FunctionalInterface
    interface Opener {
        InputStream open(FrameReads read) throws IOException;
    }

    /** A writer of documents. */
    @FunctionalInterface
    interface Documents {
        void write(BundleWriter writer) throws IOException;
    }

    private record Opened(FrameReads read, CompletableFuture<InputStream> body) {}

    /** The bundle of these documents and frames; the first requests are sent at once. */
    FrameBundle(Documents documents, List<FrameReads> reads, Opener opener) throws IOException {
        this.opener = opener;
        this.unopened = new ArrayDeque<>(reads);
        this.writer = new BundleWriter(written);
        documents.write(writer);
        turn();
        openAhead();
    }

    private void turn() {
        memory = new ByteArrayInputStream(written.toByteArray());
        written.reset();
    }

    private void openAhead() {
        if (opened.isEmpty() && !unopened.isEmpty() && !isClosed) {
            FrameReads read = unopened.remove();
            CompletableFuture<InputStream> answer = new CompletableFuture<>();
            opened.add(new Opened(read, answer));
            Thread.ofVirtual().name("artifact-pack").start(() -> {
                try {
                    InputStream in = opener.open(read);
                    if (!answer.complete(in)) {
                        in.close();
                    }
                } catch (IOException | RuntimeException | Error e) {
                    answer.completeExceptionally(e);
                }
            });
        }
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (true) {
            int taken = memory.read(buffer, offset, length);
            if (taken > 0) {
                return taken;
            }
            if (payloadLeft > 0) {
                int came = body.read(buffer, offset, (int) Math.min(length, payloadLeft));
                if (came < 0) {
                    throw new EOFException("a pack in the registry ended early");
                }
                payloadLeft -= came;
                position += came;
                if (end - position < NEAR) {
                    openAhead();
                }
                return came;
            }
            if (hasEnded) {
                return -1;
            }
            advance();
        }
    }

    /** To the next part, or to the end. */
    private void advance() throws IOException {
        if (parts.isEmpty()) {
            finish();
            openAhead();
        }
        if (parts.isEmpty() && opened.isEmpty()) {
            writer.end();
            hasEnded = true;
            turn();
            return;
        }
        if (parts.isEmpty()) {
            Opened next = opened.remove();
            body.close();
            awaited = next.body();
            if (isClosed) {
                closeLater(awaited);
                throw new IOException("the bundle is closed");
            }
            body = await(awaited);
            position = next.read().from();
            end = next.read().to();
            parts.addAll(next.read().parts());
        }
        Part part = parts.remove();
        body.skipNBytes(part.offset() - position);
        position = part.offset();
        payloadLeft = part.length();
        writer.framesHeader(part.object(), part.first(), part.length());
        turn();
    }

    /** An answer that has been read to its end leaves its connection for the next one. */
    private void finish() throws IOException {
        if (position == end && body.read() >= 0) {
            throw new IOException("the registry sends more than was requested");
        }
    }

    private static InputStream await(CompletableFuture<InputStream> answer) throws IOException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            @Nullable Throwable cause = e.getCause();
            throw cause instanceof IOException known ? known : new IOException("a bug ended a request: " + cause, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a pack was requested");
        }
    }

    @Override
    public int available() throws IOException {
        return memory.available() + (payloadLeft > 0 ? (int) Math.min(payloadLeft, body.available()) : 0);
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
        for (Opened other : opened) {
            closeLater(other.body());
        }
        closeLater(awaited);
    }

    /** Ends an answer that nobody reads any more, or that is not there yet. */
    private static void closeLater(CompletableFuture<InputStream> answer) throws IOException {
        if (!answer.completeExceptionally(new IOException("the bundle is closed"))
                && !answer.isCompletedExceptionally()) {
            answer.join().close();
        }
    }
}
