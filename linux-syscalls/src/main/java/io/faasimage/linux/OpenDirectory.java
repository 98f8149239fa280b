package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An open directory: its entries are named relative to it, so that no path is too long and no symbolic link is
 * followed. Names are bytes. Used by one thread.
 */
public final class OpenDirectory implements AutoCloseable {
    private static final boolean ARM = System.getProperty("os.arch", "").equals("aarch64");
    private static final int O_DIRECTORY = ARM ? 0x4000 : 0x10000;
    private static final int O_NOFOLLOW = ARM ? 0x8000 : 0x20000;
    private static final int O_CLOEXEC = 0x80000;
    private static final int O_PATH = 0x200000;
    private static final int AT_REMOVEDIR = 0x200;
    private static final byte[] UP = {'.', '.'};
    private static final byte[] ITSELF = {'.'};
    private static final int READ_BYTES = 32 << 10;
    private static final int NAME_OFFSET = 19;

    private static final int CLOSED = -1;

    private int fd;

    private OpenDirectory(int fd) {
        this.fd = fd;
    }

    /** Opens the directory at {@code path}; fails with ENOTDIR or ELOOP when the last name is a symbolic link. */
    public static OpenDirectory open(Path path) throws LinuxException {
        int fd = Libc.open(PathBytes.of(path), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        return new OpenDirectory(LinuxException.check("open", path.toString(), fd));
    }

    /** Receives the names in a directory. */
    @FunctionalInterface
    public interface NameVisitor {
        /** One entry; {@code .} and {@code ..} are left out. */
        void name(byte[] name) throws IOException;
    }

    /** Opens a directory in this one. */
    public OpenDirectory child(byte[] name) throws LinuxException {
        return new OpenDirectory(openat(name, O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    }

    /** Opens the directory that this one is in now. */
    public OpenDirectory parent() throws LinuxException {
        return child(UP);
    }

    /** The status of this directory. */
    public FileStatus status() throws LinuxException {
        return status(ITSELF).orElseThrow();
    }

    /** The status of an entry, of a symbolic link itself; empty when there is none of that name. */
    public Optional<FileStatus> status(byte[] name) throws LinuxException {
        return FileStatus.of(fd, name, false);
    }

    /** Names every entry. Entries may be deleted meanwhile; whether those that are added are named is open. */
    public void list(NameVisitor visitor) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(READ_BYTES, 8);
            while (true) {
                int length = LinuxException.check("getdents64", "", Libc.getdents64(fd, buffer));
                if (length == 0) {
                    return;
                }
                visit(buffer.asSlice(0, length), visitor);
            }
        }
    }

    private static void visit(MemorySegment entries, NameVisitor visitor) throws IOException {
        long at = 0;
        while (at < entries.byteSize()) {
            int size = Short.toUnsignedInt(entries.get(ValueLayout.JAVA_SHORT_UNALIGNED, at + NAME_OFFSET - 3));
            MemorySegment rest = entries.asSlice(at + NAME_OFFSET, size - NAME_OFFSET);
            int length = 0;
            while (rest.get(ValueLayout.JAVA_BYTE, length) != 0) {
                length++;
            }
            byte[] name = rest.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
            boolean dots = length <= 2 && name[0] == '.' && (length == 1 || name[1] == '.');
            if (!dots) {
                visitor.name(name);
            }
            at += size;
        }
    }

    /** Deletes an entry that is no directory. */
    public void unlink(byte[] name) throws LinuxException {
        LinuxException.check("unlink", PathBytes.text(name), Libc.unlinkat(fd, name, 0));
    }

    /** Deletes an empty directory. */
    public void removeDirectory(byte[] name) throws LinuxException {
        LinuxException.check("rmdir", PathBytes.text(name), Libc.unlinkat(fd, name, AT_REMOVEDIR));
    }

    /** A short path of an entry, for calls that take a path; good while this directory is open. */
    public byte[] path(byte[] name) {
        byte[] directory = (path() + "/").getBytes(StandardCharsets.US_ASCII);
        byte[] path = new byte[directory.length + name.length];
        System.arraycopy(directory, 0, path, 0, directory.length);
        System.arraycopy(name, 0, path, directory.length, name.length);
        return path;
    }

    /** A short path of this directory, for calls that take a path; good while it is open. */
    public Path path() {
        return link(fd);
    }

    /** A use of the path of an open file. */
    @FunctionalInterface
    public interface FileUse {
        /** Uses the file; {@code path} leads to it while this method runs, even if the file is renamed. */
        void with(Path path) throws IOException;
    }

    /** Runs {@code use} with a path of the entry {@code name} that needs no name of its own. */
    public void use(byte[] name, FileUse use) throws IOException {
        int file = openat(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        try {
            use.with(link(file));
        } finally {
            Libc.close(file);
        }
    }

    /** Without effect the second time, when the number may belong to another file. */
    @Override
    public void close() {
        if (fd != CLOSED) {
            Libc.close(fd);
            fd = CLOSED;
        }
    }

    private int openat(byte[] name, int flags) throws LinuxException {
        return LinuxException.check("openat", PathBytes.text(name), Libc.openat(fd, name, flags));
    }

    private static Path link(int descriptor) {
        return Path.of("/proc/self/fd/" + descriptor);
    }
}
