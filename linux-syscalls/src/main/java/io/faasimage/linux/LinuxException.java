package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;

/** A failed system call, with its object and the reason. */
public final class LinuxException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String call;
    private final int errno;
    private final String path;

    /**
     * A failure.
     *
     * @param call the name of the system call
     * @param errno the kernel's error number, positive
     * @param path the file it was called on; may be empty
     * @param message the sentence for people
     */
    public LinuxException(String call, int errno, String path, String message) {
        super(message);
        this.call = call;
        this.errno = errno;
        this.path = path;
    }

    /**
     * Passes a result of {@link Libc} on, or throws.
     *
     * @param call the name of the system call
     * @param on the file it was called on, for the message
     * @param result the result, a negated errno when it failed
     */
    static int check(String call, String on, int result) throws LinuxException {
        if (result >= 0) {
            return result;
        }
        throw failed(call, on, -result, "");
    }

    /** A failure with a remedy (a sentence part, or empty), which is added to the message. */
    static LinuxException failed(String call, String on, int errno, String remedy) {
        String advice = remedy.isEmpty() ? remedy(errno) : remedy;
        String message = call + (on.isEmpty() ? "" : " of " + on) + " failed: " + Errno.describe(errno)
                + (advice.isEmpty() ? "" : "; " + advice);
        return new LinuxException(call, errno, on, message);
    }

    private static String remedy(int errno) {
        if (errno == Errno.ENOSYS.number()) {
            return Libc.problem().orElse("the kernel lacks this call; see `faasimage doctor`");
        }
        return errno == Errno.EPERM.number() ? "run as root with CAP_SYS_ADMIN" : "";
    }

    /** The name of the system call. */
    public String call() {
        return call;
    }

    /** The kernel's error number. */
    public int errno() {
        return errno;
    }

    /** The file it was called on; may be empty. */
    public String path() {
        return path;
    }

    /** Whether it failed with this error. */
    public boolean is(Errno expected) {
        return errno == expected.number();
    }
}
