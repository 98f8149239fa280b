package io.faasimage.linux.libc;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The functions of the C library that this program may call, and the errno that they leave. */
final class Symbols {
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final int ENOSYS = 38;

    private final List<NativeFunction> functions = new ArrayList<>();

    /** The function {@code name}, which takes the captured state as an additional first argument. */
    NativeFunction find(String name, FunctionDescriptor type, Linker.Option... options) {
        NativeFunction function = new NativeFunction(name, type, options);
        functions.add(function);
        return function;
    }

    /** The missing functions and the remedy; empty when everything is found. */
    Optional<String> problem() {
        return functions.stream()
                .flatMap(function -> function.problem().stream())
                .distinct()
                .reduce((a, b) -> a + "; " + b);
    }

    /** Room for errno. */
    static MemorySegment state(Arena arena) {
        return arena.allocate(STATE);
    }

    /** {@code value}, or the negated errno when it says failure; a call that does not exist fails with ENOSYS. */
    static long result(long value, MemorySegment state) {
        if (value >= 0) {
            return value;
        }
        int errno = (int) ERRNO.get(state, 0L);
        return errno == 0 ? -ENOSYS : -errno;
    }

    /** {@code bytes} as a C string; NULL for null. */
    static MemorySegment string(Arena arena, byte @Nullable [] bytes) {
        if (bytes == null) {
            return MemorySegment.NULL;
        }
        for (byte b : bytes) {
            if (b == 0) {
                throw new IllegalArgumentException("a string for the kernel cannot contain a NUL byte");
            }
        }
        MemorySegment string = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, string, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return string;
    }
}
