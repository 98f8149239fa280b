package io.faasimage.store.sync;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/** Flushes the file system that holds a directory with {@code syncfs(2)}. Linux only; thread-safe. */
@SuppressWarnings("restricted")
public final class FileSystemSync {
    private static final int O_RDONLY_DIRECTORY_CLOEXEC = 0x10000 | 0x80000;
    private static final StructErrno ERRNO = new StructErrno();
    private static final MethodHandle OPEN = handle(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SYNCFS =
            handle("syncfs", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle CLOSE =
            handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private FileSystemSync() {}

    /**
     * Returns when everything written so far to the file system of {@code directory} is on its device.
     *
     * @throws IOException naming the call and its errno when the kernel refuses or the device reports an error
     */
    public static void sync(Path directory) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment errno = arena.allocate(ERRNO.layout);
            MemorySegment path = arena.allocateFrom(directory.toString());
            int fd = check((int) OPEN.invokeExact(errno, path, O_RDONLY_DIRECTORY_CLOEXEC), "open", directory, errno);
            try {
                check((int) SYNCFS.invokeExact(errno, fd), "syncfs", directory, errno);
            } finally {
                int _ = (int) CLOSE.invokeExact(errno, fd);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
    }

    private static int check(int result, String call, Path directory, MemorySegment errno) throws IOException {
        if (result < 0) {
            int number = (int) ERRNO.value.get(errno, 0L);
            throw new IOException(call + "(" + directory + ") failed with errno " + number
                    + "; objects written since the last checkpoint may not be on the disk");
        }
        return result;
    }

    private static MethodHandle handle(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 0, options.length);
        all[options.length] = Linker.Option.captureCallState("errno");
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, all);
    }

    /** Where a native call leaves its errno. */
    private static final class StructErrno {
        private final MemoryLayout layout = Linker.Option.captureStateLayout();
        private final VarHandle value = layout.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    }
}
