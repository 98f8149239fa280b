package io.faasimage.gate.fuse;

import io.faasimage.gate.Answer;
import io.faasimage.gate.image.ImageFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * A mounted file system of the gate's. libfuse serves it on its own threads, as many as look-ups wait. Of the gate itself the
 * kernel keeps nothing but that directories are there; of images it keeps everything, for they never change.
 */
public final class GateMount implements AutoCloseable {
    /** Directories never change; what is absent may be there at the next look. */
    private static final String OPTIONS = "ro,nosuid,nodev,fsname=" + MountPoint.SOURCE
            + ",negative_timeout=0,entry_timeout=86400,attr_timeout=86400";

    /** What overlays of containers show must keep devices, set-uid files and inode numbers. */
    private static final String IMAGE_OPTIONS =
            "ro,suid,dev,allow_other,default_permissions,use_ino,kernel_cache,fsname=" + MountPoint.SOURCE
                    + ",negative_timeout=31536000,entry_timeout=31536000,attr_timeout=31536000";

    private static final Duration MOUNT_TIMEOUT = Duration.ofSeconds(20);

    private final MountPoint point;
    private final ServedFileSystem files;
    private final CompletableFuture<Integer> ended;

    private GateMount(MountPoint point, ServedFileSystem files, CompletableFuture<Integer> ended) {
        this.point = point;
        this.files = files;
        this.ended = ended;
    }

    /**
     * Mounts and serves the gate at {@code directory} until closed; returns when the kernel has accepted the mount.
     *
     * @param lookups answers paths, on many threads
     * @throws IOException when the directory is taken or FUSE is not to be had; the message says what to do
     */
    public static GateMount start(Path directory, Function<String, Answer> lookups) throws IOException {
        return start(directory, OPTIONS, ready -> new GateFileSystem(lookups, ready));
    }

    /** As {@link #start(Path, Function)}, a directory with a root file system for each metadata image. */
    public static GateMount startImages(Path directory, ImageFiles files) throws IOException {
        return start(directory, IMAGE_OPTIONS, ready -> new ImageFileSystem(files, ready));
    }

    private static GateMount start(Path directory, String options, Function<Runnable, ServedFileSystem> made)
            throws IOException {
        MountPoint point = new MountPoint(directory);
        point.prepare();
        CompletableFuture<Void> ready = new CompletableFuture<>();
        ServedFileSystem files = load(made, ready);
        CompletableFuture<Integer> ended = new CompletableFuture<>();
        Thread.ofPlatform().name("fuse-main").daemon().start(() -> serve(point, options, files, ended));
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

    private static ServedFileSystem load(Function<Runnable, ServedFileSystem> made, CompletableFuture<Void> ready)
            throws IOException {
        try {
            return made.apply(() -> ready.complete(null));
        } catch (LinkageError e) {
            throw new IOException(
                    "libfuse 2 cannot be loaded (" + e.getMessage() + "); install the package libfuse2", e);
        }
    }

    private static void serve(
            MountPoint point, String options, ServedFileSystem files, CompletableFuture<Integer> ended) {
        try {
            files.mount(point.directory(), true, false, new String[] {"-o", options});
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

    /** Files that are open and bytes that were read through a mount of images; empty for the gate. */
    public Optional<Traffic> traffic() {
        return files instanceof ImageFileSystem images
                ? Optional.of(new Traffic(images.filesOpen(), images.bytesRead()))
                : Optional.empty();
    }

    /**
     * What went through a mount of images.
     *
     * @param filesOpen now
     * @param bytesRead so far; what the kernel has in memory is not read again
     */
    public record Traffic(int filesOpen, long bytesRead) {}

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
