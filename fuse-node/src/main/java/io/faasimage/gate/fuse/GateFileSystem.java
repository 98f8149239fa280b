package io.faasimage.gate.fuse;

import io.faasimage.gate.Answer;
import java.util.function.Function;
import jnr.ffi.Pointer;
import ru.serce.jnrfuse.ErrorCodes;
import ru.serce.jnrfuse.FuseFillDir;
import ru.serce.jnrfuse.struct.FileStat;
import ru.serce.jnrfuse.struct.FuseFileInfo;

/**
 * The gate's callbacks: a look-up, which libfuse asks for as the attributes of a path, becomes an errno or a directory. There
 * is nothing else; what is not overridden is refused by libfuse itself.
 */
final class GateFileSystem extends ServedFileSystem {
    private static final int DIRECTORY_MODE = FileStat.S_IFDIR | 0500;

    private final Function<String, Answer> lookups;

    /**
     * @param lookups answers paths; may block, may throw
     * @param onInit run when the kernel has accepted the mount
     */
    GateFileSystem(Function<String, Answer> lookups, Runnable onInit) {
        super(onInit);
        this.lookups = lookups;
    }

    @Override
    public int getattr(String path, FileStat stat) {
        return guarded(path, () -> switch (lookups.apply(path)) {
            case DIRECTORY -> {
                stat.st_mode.set(DIRECTORY_MODE);
                stat.st_nlink.set(2);
                yield 0;
            }
            case ABSENT -> -ErrorCodes.ENOENT();
            case FAILED -> -ErrorCodes.EIO();
            case ARRIVED -> -ErrorCodes.ESTALE();
        });
    }

    @Override
    public int readdir(String path, Pointer buffer, FuseFillDir filler, long offset, FuseFileInfo info) {
        return guarded(path, () -> {
            filler.apply(buffer, ".", null, 0);
            filler.apply(buffer, "..", null, 0);
            return 0;
        });
    }
}
