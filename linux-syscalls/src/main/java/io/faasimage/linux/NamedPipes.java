package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.file.Path;

/** Named pipes. Thread-safe. */
public final class NamedPipes {
    private static final int OWNER_ONLY = 0600;

    private NamedPipes() {}

    /** Makes a pipe at {@code path} that only its owner may open; fails when something is there. */
    public static void make(Path path) throws LinuxException {
        LinuxException.check("mkfifo", path.toString(), Libc.mkfifo(PathBytes.of(path), OWNER_ONLY));
    }
}
