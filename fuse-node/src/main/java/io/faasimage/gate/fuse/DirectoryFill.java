package io.faasimage.gate.fuse;

import io.faasimage.format.erofs.ErofsView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.Struct;
import jnr.ffi.provider.jffi.ClosureHelper;
import ru.serce.jnrfuse.FuseFillDir;
import ru.serce.jnrfuse.struct.FileStat;

/** The entries of one directory, passed to libfuse. For one thread. */
final class DirectoryFill {
    private static final int NAME_BYTES = 256;

    private final Pointer buffer;
    private final FuseFillDir function;
    private final ByteBuffer name = ByteBuffer.allocateDirect(NAME_BYTES);
    private final Pointer memory;
    private final FileStat stat;

    /**
     * @param runtime of jnr-ffi
     * @param buffer libfuse's, passed through
     * @param function libfuse's, as a pointer: jnr-ffi converts it only when requested
     */
    DirectoryFill(Runtime runtime, Pointer buffer, Pointer function) {
        ClosureHelper helper = ClosureHelper.getInstance();
        this.buffer = buffer;
        this.function = helper.getNativeConveter(FuseFillDir.class).fromNative(function, helper.getFromNativeContext());
        this.memory = Memory.allocateDirect(runtime, Struct.size(new FileStat(runtime)), true);
        this.stat = FileStat.of(memory);
    }

    /** Adds an entry, its name one char per byte; false when libfuse has no room. */
    boolean add(String text, ErofsView.Entry entry) {
        StatStructure.putType(entry, stat);
        name.clear()
                .put(text.getBytes(StandardCharsets.ISO_8859_1))
                .put((byte) 0)
                .flip();
        return function.apply(buffer, name, memory, 0) == 0;
    }
}
