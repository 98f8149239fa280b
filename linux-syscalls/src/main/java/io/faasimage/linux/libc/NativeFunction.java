package io.faasimage.linux.libc;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A function of the C library, linked by its first call: to link one takes the JVM some milliseconds, and a command
 * calls few of them. One that is missing becomes a call that fails, with a remedy. Thread-safe.
 */
final class NativeFunction {
    private final String name;
    private final FunctionDescriptor type;
    private final Linker.Option[] options;
    private volatile @Nullable Linked linked;

    NativeFunction(String name, FunctionDescriptor type, Linker.Option... options) {
        this.name = name;
        this.type = type;
        this.options = options;
    }

    private record Linked(MethodHandle handle, Optional<String> problem) {}

    /** Its call, which takes the captured state as an additional first argument. */
    MethodHandle handle() {
        return linked().handle;
    }

    /** Why it cannot be called, and the remedy; empty when it can. */
    Optional<String> problem() {
        return linked().problem;
    }

    private Linked linked() {
        Linked found = linked;
        if (found == null) {
            // Two threads may both link it; their results are the same.
            found = link();
            linked = found;
        }
        return found;
    }

    @SuppressWarnings("restricted") // this is the package that holds the native code
    private Linked link() {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> symbol = linker.defaultLookup()
                .find(name)
                .or(() -> SymbolLookup.loaderLookup().find(name));
        if (symbol.isEmpty()) {
            return failing("the C library has no " + name + "(); install glibc 2.28 or later");
        }
        Linker.Option[] all = new Linker.Option[options.length + 1];
        System.arraycopy(options, 0, all, 1, options.length);
        all[0] = Linker.Option.captureCallState("errno");
        try {
            return new Linked(linker.downcallHandle(symbol.get(), type, all), Optional.empty());
        } catch (IllegalCallerException e) {
            return failing("native access is off for this program; start Java with --enable-native-access=ALL-UNNAMED");
        }
    }

    private Linked failing(String problem) {
        MethodType shape = type.toMethodType().insertParameterTypes(0, MemorySegment.class);
        MethodHandle minusOne = shape.returnType() == long.class
                ? MethodHandles.constant(long.class, -1L)
                : MethodHandles.constant(int.class, -1);
        return new Linked(MethodHandles.dropArguments(minusOne, 0, shape.parameterList()), Optional.of(problem));
    }
}
