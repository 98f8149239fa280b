package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The size of a terminal.
 *
 * @param columns characters in a line
 * @param rows lines
 * @see <a href="https://man7.org/linux/man-pages/man2/TIOCGWINSZ.2const.html">TIOCGWINSZ(2const)</a>
 */
public record TerminalSize(int columns, int rows) {
    private static final long TIOCGWINSZ = 0x5413;
    private static final int WINSIZE_BYTES = 8;
    private static final Path NULL_DEVICE = Path.of("/dev/null");
    /** For terminals that do not report a size, such as serial lines. */
    private static final TerminalSize USUAL = new TerminalSize(80, 24);

    /** The size of the terminal that the file descriptor is; empty when it is none. */
    public static Optional<TerminalSize> of(int descriptor) {
        if (!mayBeTerminal(descriptor)) {
            return Optional.empty();
        }
        byte[] size = new byte[WINSIZE_BYTES];
        if (Libc.ioctlRead(descriptor, TIOCGWINSZ, size) < 0) {
            return Optional.empty();
        }
        ByteBuffer fields = ByteBuffer.wrap(size).order(ByteOrder.nativeOrder());
        int rows = Short.toUnsignedInt(fields.getShort());
        int columns = Short.toUnsignedInt(fields.getShort());
        return Optional.of(rows == 0 || columns == 0 ? USUAL : new TerminalSize(columns, rows));
    }

    /** Whether it is a device; this look-up takes a fraction of the time in which the JVM links a native call. */
    private static boolean mayBeTerminal(int descriptor) {
        try {
            Path target = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor));
            return target.startsWith("/dev") && !target.equals(NULL_DEVICE);
        } catch (IOException e) {
            return true;
        }
    }
}
