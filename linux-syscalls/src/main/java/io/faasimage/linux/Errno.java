package io.faasimage.linux;

/** Error numbers of Linux (the same on x86_64 and aarch64) that are distinguished or explained. */
public enum Errno {
    EPERM(1, "operation not permitted"),
    ENOENT(2, "no such file or directory"),
    EINTR(4, "interrupted"),
    EIO(5, "input/output error"),
    ENXIO(6, "no such device or address"),
    EBADF(9, "bad file descriptor"),
    EAGAIN(11, "try again"),
    ENOMEM(12, "out of memory"),
    EACCES(13, "permission denied"),
    EFAULT(14, "bad address"),
    ENOTBLK(15, "block device required"),
    EBUSY(16, "device or resource busy"),
    EEXIST(17, "file exists"),
    EXDEV(18, "on another device"),
    ENODEV(19, "no such device or file system type"),
    ENOTDIR(20, "not a directory"),
    EISDIR(21, "is a directory"),
    EINVAL(22, "invalid argument"),
    ENFILE(23, "too many open files in the system"),
    EMFILE(24, "too many open files"),
    ETXTBSY(26, "text file busy"),
    EFBIG(27, "file too large"),
    ENOSPC(28, "no space left"),
    EROFS(30, "read-only file system"),
    ERANGE(34, "result too large"),
    ENAMETOOLONG(36, "name too long"),
    ENOSYS(38, "not implemented"),
    ELOOP(40, "too many symbolic links or levels of mounts"),
    ENODATA(61, "no such attribute"),
    EOVERFLOW(75, "value too large"),
    EUCLEAN(117, "structure needs cleaning"),
    EOPNOTSUPP(95, "not supported"),
    ENOTCONN(107, "transport endpoint is not connected"),
    ESTALE(116, "stale file handle");

    private final int number;
    private final String meaning;

    Errno(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    /** The kernel's number. */
    public int number() {
        return number;
    }

    /** Name and meaning of any number, for people. */
    public static String describe(int number) {
        for (Errno errno : values()) {
            if (errno.number == number) {
                return errno + " (" + errno.meaning + ")";
            }
        }
        return "errno " + number;
    }
}
