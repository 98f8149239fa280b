package io.faasimage.gate.fuse;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** A mounted file system that this process serves. Thread-safe. */
public interface ServedMount extends AutoCloseable {
    /** The number of FUSE requests, of all kinds, that have reached this process. */
    long callbacks();

    /** Completes when the kernel has ended the mount, exceptionally when serving it failed. */
    CompletableFuture<Integer> ended();

    /** Takes it off its directory. Overlays that use it are served until the process ends. */
    @Override
    void close() throws IOException;
}
