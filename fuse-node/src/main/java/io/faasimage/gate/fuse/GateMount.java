package io.faasimage.gate.fuse;

import io.faasimage.gate.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * A mounted gate. libfuse serves it on its own threads, as many as look-ups wait; the kernel keeps nothing of an answer but
 * that directories are there.
 */
public final class GateMount implements AutoCloseable {
    /** Directories never change; what is absent may be there at the next look. */
    private static final String OPTIONS = "ro,nosuid,nodev,fsname=" + MountPoint.SOURCE
            + ",negative_timeout=0,entry_timeout=86400,attr_timeout=86400";

    private static final Duration MOUNT_TIMEOUT = Duration.ofSeconds(20);

    private final MountPoint point;
    private final GateFileSystem files;
    private final CompletableFuture<Integer> ended;

    private GateMount(MountPoint point, GateFileSystem files, CompletableFuture<Integer> ended) {
        this.point = point;
        this.files = files;
        this.ended = ended;
    }

    /**
     * Mounts and serves at {@code directory} until closed; returns when the kernel has accepted the mount.
     *
     * @param lookups answers paths, on many threads
     * @throws IOException when the directory is taken or FUSE is not to be had; the message says what to do
     */
    public static GateMount start(Path directory, Function<String, Answer> lookups) throws IOException {
        MountPoint point = new MountPoint(directory);
        point.prepare();
        CompletableFuture<Void> ready = new CompletableFuture<>();
        GateFileSystem files = load(lookups, ready);
        CompletableFuture<Integer> ended = new CompletableFuture<>();
        Thread.ofPlatform().name("fuse-main").daemon().start(() -> serve(point, files, ended));
        try {
            CompletableFuture.anyOf(ready, ended).get(MOUNT_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            point.release();
            throw notMounted(point, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            point.release();
            throw notMounted(point, e);
        }
        if (!ready.isDone()) {
            throw new IOException("could not mount at " + point.directory() + ": libfuse ended with code "
                    + ended.getNow(-1) + ", its reason is in the line above; is /dev/fuse there, and are you root?");
        }
        return new GateMount(point, files, ended);
    }

    private static GateFileSystem load(Function<String, Answer> lookups, CompletableFuture<Void> ready)
            throws IOException {
        try {
            return new GateFileSystem(lookups, () -> ready.complete(null));
        } catch (LinkageError e) {
            throw new IOException(
                    "libfuse 2 cannot be loaded (" + e.getMessage() + "); install the package libfuse2", e);
        }
    }

    private static void serve(MountPoint point, GateFileSystem files, CompletableFuture<Integer> ended) {
        try {
            files.mount(point.directory(), true, false, new String[] {"-o", OPTIONS});
            ended.complete(0);
        } catch (RuntimeException | Error e) {
            ended.completeExceptionally(e);
        }
    }

    private static IOException notMounted(MountPoint point, Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return new IOException(
                "could not mount at " + point.directory() + ": " + cause + "; is /dev/fuse there, and are you root?",
                e);
    }

    /** FUSE requests that have reached this process, of whatever kind. */
    public long callbacks() {
        return files.callbacks();
    }

    /** Completes when the kernel has ended the mount, exceptionally when libfuse failed. */
    public CompletableFuture<Integer> ended() {
        return ended.copy();
    }

    /** Takes the gate off its directory. Overlays that use it are served until the process ends. */
    @Override
    public void close() throws IOException {
        point.release();
    }
}
