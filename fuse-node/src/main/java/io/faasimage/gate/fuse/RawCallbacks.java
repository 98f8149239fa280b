package io.faasimage.gate.fuse;

import jnr.ffi.Pointer;
import jnr.ffi.annotations.Delegate;
import jnr.ffi.types.off_t;
import jnr.ffi.types.size_t;

/**
 * libfuse's callbacks with names as they are in memory. jnr-fuse's own interfaces decode names to strings, and a name
 * that is not UTF-8 does not survive that. Public because jnr-ffi calls them from classes it generates.
 */
public final class RawCallbacks {
    private RawCallbacks() {}

    /** {@code getattr}, {@code statfs}, {@code open} and {@code release}: an operation on a path. */
    @FunctionalInterface
    public interface AtPath {
        /** A negative errno, or 0. */
        @Delegate
        int call(Pointer path, Pointer structure);
    }

    /** {@code readlink} and {@code listxattr}: bytes of a path. */
    @FunctionalInterface
    public interface BytesOf {
        /** A negative errno, or 0 or the number of bytes. */
        @Delegate
        int call(Pointer path, Pointer buffer, @size_t long size);
    }

    /** {@code getxattr}: bytes of a path by name. */
    @FunctionalInterface
    public interface NamedBytesOf {
        /** A negative errno, or the number of bytes. */
        @Delegate
        int call(Pointer path, Pointer name, Pointer buffer, @size_t long size);
    }

    /** {@code read}. */
    @FunctionalInterface
    public interface Read {
        /** A negative errno, or the number of bytes. */
        @Delegate
        int call(Pointer path, Pointer buffer, @size_t long size, @off_t long offset, Pointer file);
    }

    /** {@code readdir}. */
    @FunctionalInterface
    public interface ReadDirectory {
        /** A negative errno, or 0. */
        @Delegate
        int call(Pointer path, Pointer buffer, Pointer fill, @off_t long offset, Pointer file);
    }
}
