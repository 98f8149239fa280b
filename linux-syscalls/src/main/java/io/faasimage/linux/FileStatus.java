package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The result of statx(2) for a file named by bytes.
 *
 * @param mode type and permission bits
 * @param links number of names; 0 for a deleted file that is still open
 * @param device number of the file system
 * @param inode number within the file system
 * @param size bytes of content
 * @param allocated bytes on the disk, without holes
 */
public record FileStatus(int mode, long links, long device, long inode, long size, long allocated) {
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final int STATX_BASIC_STATS = 0x7ff;
    private static final int BYTES = 256;
    private static final int S_IFMT = 0xf000;
    private static final int S_IFREG = 0x8000;
    private static final int S_IFDIR = 0x4000;
    private static final int AT_FDCWD = -100;
    private static final long BLOCK = 512;

    /**
     * The status of the file at {@code path}; empty when there is none.
     *
     * @param follow whether a symbolic link stands for its target
     */
    public static Optional<FileStatus> of(byte[] path, boolean follow) throws LinuxException {
        return of(AT_FDCWD, path, follow);
    }

    /** As {@link #of(byte[], boolean)}, of a name in the open directory {@code directory}. */
    static Optional<FileStatus> of(int directory, byte[] path, boolean follow) throws LinuxException {
        byte[] buffer = new byte[BYTES];
        int result = Libc.statx(directory, path, follow ? 0 : AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, buffer);
        if (result == -Errno.ENOENT.number() || result == -Errno.ENOTDIR.number()) {
            return Optional.empty();
        }
        LinuxException.check("statx", PathBytes.text(path), result);
        ByteBuffer b = ByteBuffer.wrap(buffer).order(ByteOrder.nativeOrder());
        long device = ((long) b.getInt(136) << 32) | (b.getInt(140) & 0xffffffffL);
        return Optional.of(new FileStatus(
                Short.toUnsignedInt(b.getShort(28)),
                Integer.toUnsignedLong(b.getInt(16)),
                device,
                b.getLong(32),
                b.getLong(40),
                b.getLong(48) * BLOCK));
    }

    /** Whether it is a directory. */
    public boolean isDirectory() {
        return (mode & S_IFMT) == S_IFDIR;
    }

    /** Whether it is a regular file. */
    public boolean isRegular() {
        return (mode & S_IFMT) == S_IFREG;
    }

    /** Whether both are one file. */
    public boolean sameFile(FileStatus other) {
        return device == other.device && inode == other.inode;
    }
}
