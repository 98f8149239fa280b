package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Extended attributes of files whose paths are bytes. Thread-safe. */
public final class ExtendedAttributes {
    private static final int TRIES = 8;
    private static final byte[] NONE = {};

    private ExtendedAttributes() {}

    /** The value of {@code name}, of a symbolic link itself; empty when there is none of that name. */
    public static Optional<byte[]> getOfLink(byte[] path, String name) throws LinuxException {
        byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
        int result = sized(buffer -> Libc.lgetxattr(path, nameBytes, buffer));
        for (int i = 0; i < TRIES && result >= 0; i++) {
            byte[] value = new byte[result];
            if (result == 0) {
                return Optional.of(value);
            }
            result = Libc.lgetxattr(path, nameBytes, value);
            if (result >= 0) {
                return Optional.of(Arrays.copyOf(value, result));
            }
            result = again(result, buffer -> Libc.lgetxattr(path, nameBytes, buffer));
        }
        if (result == -Errno.ENODATA.number()) {
            return Optional.empty();
        }
        throw LinuxException.failed("lgetxattr", on(path, name), errno(result), "");
    }

    /** Sets an attribute. Symbolic links are followed. */
    public static void set(byte[] path, String name, byte[] value) throws LinuxException {
        LinuxException.check(
                "setxattr", on(path, name), Libc.setxattr(path, name.getBytes(StandardCharsets.UTF_8), value));
    }

    @FunctionalInterface
    private interface Sized {
        int call(byte[] buffer);
    }

    private static int sized(Sized call) {
        return call.call(NONE);
    }

    /** The size to try with when the value grew between the two calls; else the failure. */
    private static int again(int result, Sized call) {
        return result == -Errno.ERANGE.number() ? sized(call) : result;
    }

    private static int errno(int result) {
        return result < 0 ? -result : Errno.EAGAIN.number();
    }

    private static String on(byte[] path, String name) {
        return name + " on " + PathBytes.text(path);
    }
}
