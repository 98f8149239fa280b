package io.faasimage.registry.store.object;

import io.faasimage.registry.platform.problem.ProblemException;
import io.faasimage.registry.store.blob.Blob;
import io.faasimage.registry.store.blob.BlobStore;
import io.faasimage.registry.store.blob.BlobsDownException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Frames of one bundle that are only in the bucket, read in the bundle's order: adjacent ones are read by one request.
 * A broken connection is resumed where it broke, a few times. Not thread-safe.
 */
public final class RemoteFrames implements AutoCloseable {
    /** So many bytes between two frames are read rather than skipped by a second request. */
    private static final long GAP_BYTES = 256 * 1024;

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int TRIES = 4;
    private static final Duration PAUSE = Duration.ofMillis(100);

    /**
     * A frame to be read.
     *
     * @param object whose frame it is
     * @param skip bytes of it that are left out
     */
    public record Wanted(StoredObject object, long skip) {
        private long begin() {
            return object.offset() + skip;
        }
    }

    private record Run(Blob blob, long from, long to) {}

    private final BlobStore blobs;
    private final Deque<Run> runs;
    private final byte[] buffer;
    private @Nullable InputStream in;
    private long position;

    private RemoteFrames(BlobStore blobs, Deque<Run> runs) {
        this.blobs = blobs;
        this.runs = runs;
        this.buffer = new byte[runs.isEmpty() ? 0 : BUFFER_BYTES];
    }

    /**
     * Requests the first frames, so that a store which cannot give them is known before anything is sent.
     *
     * @throws ProblemException when it cannot
     */
    public static RemoteFrames open(BlobStore blobs, List<Wanted> frames) {
        RemoteFrames opened = new RemoteFrames(blobs, runs(frames));
        if (!opened.runs.isEmpty()) {
            opened.begin();
        }
        return opened;
    }

    private static Deque<Run> runs(List<Wanted> frames) {
        Deque<Run> runs = new ArrayDeque<>();
        for (Wanted frame : frames) {
            Blob blob = frame.object().blob();
            Run last = runs.peekLast();
            if (last != null
                    && last.blob().equals(blob)
                    && frame.begin() >= last.to()
                    && frame.begin() - last.to() <= GAP_BYTES) {
                runs.removeLast();
                runs.addLast(new Run(blob, last.from(), frame.object().end()));
            } else {
                runs.addLast(new Run(blob, frame.begin(), frame.object().end()));
            }
        }
        return runs;
    }

    private void begin() {
        Run run = runs.getFirst();
        try {
            position = run.from();
            in = blobs.read(run.blob(), position, run.to() - position);
        } catch (IOException e) {
            throw StoredFrames.problem(run.blob(), e);
        }
    }

    /**
     * Copies the next of the frames.
     *
     * @throws ProblemException when the store does not give it
     * @throws IOException when {@code out} does not take it
     */
    public void copy(StoredObject object, long skip, OutputStream out) throws IOException {
        long from = object.offset() + skip;
        if (position == runs.getFirst().to()) {
            close();
            runs.removeFirst();
            position = runs.getFirst().from();
        }
        while (position < object.end()) {
            long next = position < from ? from : object.end();
            int n = fill((int) Math.min(buffer.length, next - position));
            if (position >= from) {
                out.write(buffer, 0, n);
            }
            position += n;
        }
    }

    private int fill(int most) {
        Run run = runs.getFirst();
        for (int tries = 1; ; tries++) {
            try {
                if (in == null) {
                    in = blobs.read(run.blob(), position, run.to() - position);
                }
                int n = in.read(buffer, 0, most);
                if (n <= 0) {
                    throw new BlobsDownException(
                            run.blob() + " ended at " + position + " and should end at " + run.to(), new IOException());
                }
                return n;
            } catch (BlobsDownException e) {
                close();
                if (tries == TRIES) {
                    throw e.problem();
                }
                LockSupport.parkNanos(PAUSE.toNanos() << (tries - 1));
            } catch (IOException e) {
                throw StoredFrames.problem(run.blob(), e);
            }
        }
    }

    @Override
    public void close() {
        InputStream open = in;
        in = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // Its rest is not needed.
                return;
            }
        }
    }
}
