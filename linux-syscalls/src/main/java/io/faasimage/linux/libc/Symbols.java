package io.faasimage.linux.libc;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The look-up of the C library's symbols; a missing one becomes a call that fails with a remedy. */
final class Symbols {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
    private static final int ENOSYS = 38;

    private final List<String> problems = new ArrayList<>();

    /** The function {@code name}, which takes the captured state as an additional first argument. */
    @SuppressWarnings("restricted") // this is the package that holds the native code
    MethodHandle find(String name, FunctionDescriptor type, Linker.Option... options) {
        Optional<MemorySegment> symbol = LINKER.defaultLookup()
                .find(name)
                .or(() -> SymbolLookup.loaderLookup().find(name));
        MethodType shape = type.toMethodType().insertParameterTypes(0, MemorySegment.class);
        if (symbol.isEmpty()) {
            problems.add("the C library has no " + name + "(); install glibc 2.28 or later");
            return failing(shape);
        }
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 1, options.length);
        all[0] = Linker.Option.captureCallState("errno");
        try {
            return LINKER.downcallHandle(symbol.get(), type, all);
        } catch (IllegalCallerException e) {
            problems.add("native access is off for this program; start Java with --enable-native-access=ALL-UNNAMED");
            return failing(shape);
        }
    }

    private static MethodHandle failing(MethodType shape) {
        MethodHandle minusOne = shape.returnType() == long.class
                ? MethodHandles.constant(long.class, -1L)
                : MethodHandles.constant(int.class, -1);
        return MethodHandles.dropArguments(minusOne, 0, shape.parameterList());
    }

    /** What is missing and how to get it; empty when everything was found. */
    Optional<String> problem() {
        return problems.stream().distinct().reduce((a, b) -> a + "; " + b);
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
