package io.faasimage.gate.fuse;

import io.faasimage.gate.Answer;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import jnr.ffi.Pointer;
import ru.serce.jnrfuse.ErrorCodes;
import ru.serce.jnrfuse.FuseFillDir;
import ru.serce.jnrfuse.FuseStubFS;
import ru.serce.jnrfuse.struct.FileStat;
import ru.serce.jnrfuse.struct.FuseFileInfo;

/**
 * The callbacks: a look-up, which libfuse asks for as the attributes of a path, becomes an errno or a directory. There is
 * nothing else; what is not overridden is refused by libfuse itself.
 */
final class GateFileSystem extends FuseStubFS {
    private static final Logger LOG = System.getLogger(GateFileSystem.class.getName());
    private static final int DIRECTORY_MODE = FileStat.S_IFDIR | 0500;

    private final Function<String, Answer> lookups;
    private final Runnable onInit;
    private final LongAdder callbacks = new LongAdder();

    /**
     * @param lookups answers paths; may block, may throw
     * @param onInit run when the kernel has accepted the mount
     */
    GateFileSystem(Function<String, Answer> lookups, Runnable onInit) {
        this.lookups = lookups;
        this.onInit = onInit;
    }

    long callbacks() {
        return callbacks.sum();
    }

    @Override
    public Pointer init(Pointer connection) {
        callbacks.increment();
        onInit.run();
        return connection;
    }

    @Override
    public int getattr(String path, FileStat stat) {
        callbacks.increment();
        try {
            return switch (lookups.apply(path)) {
                case DIRECTORY -> {
                    stat.st_mode.set(DIRECTORY_MODE);
                    stat.st_nlink.set(2);
                    yield 0;
                }
                case ABSENT -> -ErrorCodes.ENOENT();
                case FAILED -> -ErrorCodes.EIO();
                case ARRIVED -> -ErrorCodes.ESTALE();
            };
        } catch (Throwable e) {
            return failed(path, e);
        }
    }

    @Override
    public int readdir(String path, Pointer buffer, FuseFillDir filler, long offset, FuseFileInfo info) {
        callbacks.increment();
        try {
            filler.apply(buffer, ".", null, 0);
            filler.apply(buffer, "..", null, 0);
            return 0;
        } catch (Throwable e) {
            return failed(path, e);
        }
    }

    /** Nothing may be thrown into native code; not even logging may fail. */
    private static int failed(String path, Throwable e) {
        try {
            LOG.log(Level.ERROR, "a defect in answering the look-up of " + path, e);
        } catch (Throwable alsoLogging) {
            return -ErrorCodes.EIO();
        }
        return -ErrorCodes.EIO();
    }

    /** Called by a hook of the library at the end of the process; the owner of the mount does it instead. */
    @Override
    public void umount() {}
}
