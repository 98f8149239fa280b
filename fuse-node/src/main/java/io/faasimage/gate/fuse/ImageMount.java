package io.faasimage.gate.fuse;

import io.faasimage.gate.image.ImageFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A mount that shows the root file systems of images. libfuse serves it on its own threads, as many as requests wait.
 * The kernel caches everything, because images never change.
 */
public final class ImageMount implements ServedMount {
    /** Devices, set-uid files and inode numbers must be kept: containers see them through their overlays. */
    private static final String OPTIONS = "ro,suid,dev,allow_other,default_permissions,use_ino,kernel_cache,fsname="
            + MountPoint.SOURCE + ",negative_timeout=31536000,entry_timeout=31536000,attr_timeout=31536000";

    private static final Duration MOUNT_TIMEOUT = Duration.ofSeconds(20);

    private final MountPoint point;
    private final ImageFileSystem files;
    private final CompletableFuture<Integer> ended;

    private ImageMount(MountPoint point, ImageFileSystem files, CompletableFuture<Integer> ended) {
        this.point = point;
        this.files = files;
        this.ended = ended;
    }

    /**
     * Mounts and serves {@code files} at {@code directory} until closed; returns when the kernel has accepted the
     * mount.
     *
     * @throws IOException when the directory is taken or FUSE is not available; the message names the remedy
     */
    public static ImageMount start(Path directory, ImageFiles files) throws IOException {
        MountPoint point = new MountPoint(directory);
        point.prepare();
        CompletableFuture<Void> ready = new CompletableFuture<>();
        ImageFileSystem system = load(files, ready);
        CompletableFuture<Integer> ended = new CompletableFuture<>();
        Thread.ofPlatform().name("fuse-main").daemon().start(() -> serve(point, system, ended));
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
                    + ended.getNow(-1) + ", its reason is in the line above; does /dev/fuse exist, and are you root?");
        }
        return new ImageMount(point, system, ended);
    }

    private static ImageFileSystem load(ImageFiles files, CompletableFuture<Void> ready) throws IOException {
        try {
            return new ImageFileSystem(files, () -> ready.complete(null));
        } catch (LinkageError e) {
            throw new IOException(
                    "libfuse 2 cannot be loaded (" + e.getMessage() + "); install the package libfuse2", e);
        }
    }

    private static void serve(MountPoint point, ImageFileSystem files, CompletableFuture<Integer> ended) {
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
                "could not mount at " + point.directory() + ": " + cause + "; does /dev/fuse exist, and are you root?",
                e);
    }

    @Override
    public long callbacks() {
        return files.callbacks();
    }

    /** The traffic so far. */
    public Traffic traffic() {
        return new Traffic(files.filesOpen(), files.bytesRead());
    }

    /**
     * The traffic of a mount of images.
     *
     * @param filesOpen now
     * @param bytesRead so far; reads from the kernel's page cache are not seen
     */
    public record Traffic(int filesOpen, long bytesRead) {}

    @Override
    public CompletableFuture<Integer> ended() {
        return ended.copy();
    }

    @Override
    public void close() throws IOException {
        point.release();
    }
}
