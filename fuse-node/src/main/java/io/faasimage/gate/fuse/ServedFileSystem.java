package io.faasimage.gate.fuse;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;
import jnr.ffi.Pointer;
import ru.serce.jnrfuse.ErrorCodes;
import ru.serce.jnrfuse.FuseStubFS;

/** The base of the file systems here: it counts requests, and lets no exception reach native code. */
abstract class ServedFileSystem extends FuseStubFS {
    private static final Logger LOG = System.getLogger(ServedFileSystem.class.getName());

    private final Runnable onInit;
    private final LongAdder callbacks = new LongAdder();

    /**
     * @param onInit run when the kernel has accepted the mount
     */
    ServedFileSystem(Runnable onInit) {
        this.onInit = onInit;
    }

    /** Answers a callback with 0, a number of bytes or a negative errno. */
    @FunctionalInterface
    interface Answering {
        int answer() throws IOException;
    }

    /** Counts and answers; an input/output error when that throws. */
    final int guarded(Object path, Answering answering) {
        callbacks.increment();
        try {
            return answering.answer();
        } catch (Throwable e) {
            return failed(path, e);
        }
    }

    /** Nothing may be thrown into native code; not even logging may fail. */
    private static int failed(Object path, Throwable e) {
        try {
            if (e instanceof IOException) {
                LOG.log(Level.WARNING, "no answer for " + path + ": " + e.getMessage());
            } else {
                LOG.log(Level.ERROR, "a bug in answering for " + path, e);
            }
        } catch (Throwable alsoLogging) {
            return -ErrorCodes.EIO();
        }
        return -ErrorCodes.EIO();
    }

    /** Callbacks so far. */
    final long callbacks() {
        return callbacks.sum();
    }

    @Override
    public final Pointer init(Pointer connection) {
        callbacks.increment();
        onInit.run();
        return connection;
    }

    /** Called by a hook of the library at the end of the process; the owner of the mount does it instead. */
    @Override
    public final void umount() {}
}
