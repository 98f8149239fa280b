package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A fanotify group: it reports which files of whole file systems are opened and executed, in any mount namespace, but
 * not directories and mere look-ups. Needs CAP_SYS_ADMIN.
 *
 * <p>One thread at a time; {@link #close} must not run together with {@link #read}.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/fanotify.7.html">fanotify(7)</a>
 */
public final class Fanotify implements AutoCloseable {
    private static final int FAN_CLOEXEC = 1;
    private static final int FAN_NONBLOCK = 2;
    private static final int FAN_UNLIMITED_QUEUE = 0x10;
    private static final int O_RDONLY_NONBLOCK_CLOEXEC = 0x80800;
    private static final int O_LARGEFILE = System.getProperty("os.arch", "").equals("aarch64") ? 0x20000 : 0x8000;
    private static final int FAN_MARK_ADD = 1;
    private static final int FAN_MARK_FILESYSTEM = 0x100;
    private static final long FAN_OPEN = 0x20;
    private static final long FAN_OPEN_EXEC = 0x1000;
    private static final long FAN_Q_OVERFLOW = 0x4000;
    private static final int BUFFER_BYTES = 8192;
    private static final int HEADER_BYTES = 24;
    private static final byte VERSION = 3;

    private final int group;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, 8);
    private boolean closed;

    private Fanotify(int group) {
        this.group = group;
    }

    /**
     * A file was opened.
     *
     * @param fd descriptor of the file, open for reading until the batch is closed
     * @param pid the process (as seen from here) that opened it; it may have ended
     * @param exec whether it was opened in order to be executed
     */
    public record Event(int fd, int pid, boolean exec) {
        /** The path of the file as the mount it was opened through names it; empty when the file was deleted. */
        public Optional<byte[]> path() throws LinuxException {
            return FileLinks.ofDescriptor(fd);
        }

        /** Status of the file. */
        public Optional<FileStatus> status() throws LinuxException {
            return FileStatus.of(FileLinks.name(fd), true);
        }
    }

    /**
     * The result of one read.
     *
     * @param events in the order in which they happened
     * @param overflow whether the kernel's queue was full and events were lost
     * @param unreadable events whose file could not be opened any more
     */
    public record Batch(List<Event> events, boolean overflow, int unreadable) implements AutoCloseable {
        public Batch {
            events = List.copyOf(events);
        }

        /** Closes the files of all events. */
        @Override
        public void close() {
            events.forEach(e -> Libc.close(e.fd()));
        }
    }

    /**
     * A new group without marks.
     *
     * @param unlimitedQueue whether the kernel may queue any number of events (else 16,384 unless configured otherwise)
     */
    public static Fanotify open(boolean unlimitedQueue) throws LinuxException {
        int flags = FAN_CLOEXEC | FAN_NONBLOCK | (unlimitedQueue ? FAN_UNLIMITED_QUEUE : 0);
        int result = Libc.fanotifyInit(flags, O_RDONLY_NONBLOCK_CLOEXEC | O_LARGEFILE);
        return new Fanotify(LinuxException.check("fanotify_init", "", result));
    }

    /** From now on, reports opens and executions on the file system of {@code path}. */
    public void watch(Path path) throws LinuxException {
        mark(FAN_MARK_ADD, path);
    }

    private void mark(int action, Path path) throws LinuxException {
        int result =
                Libc.fanotifyMark(group, action | FAN_MARK_FILESYSTEM, FAN_OPEN | FAN_OPEN_EXEC, PathBytes.of(path));
        LinuxException.check("fanotify_mark", path.toString(), result);
    }

    /**
     * Waits for events.
     *
     * @param timeoutMillis how long to wait; the batch is empty when nothing happened
     * @return a batch that must be closed
     */
    public Batch read(int timeoutMillis) throws LinuxException {
        int ready = Libc.pollInput(group, timeoutMillis);
        if (ready == 0 || ready == -Errno.EINTR.number()) {
            return new Batch(List.of(), false, 0);
        }
        LinuxException.check("poll", "fanotify", ready);
        int length = Libc.read(group, buffer);
        if (length >= 0) {
            return parse(buffer.asSlice(0, length));
        }
        if (length == -Errno.EAGAIN.number() || length == -Errno.EINTR.number()) {
            return new Batch(List.of(), false, 0);
        }
        if (isFileGone(-length)) {
            return new Batch(List.of(), false, 1);
        }
        throw LinuxException.failed("read", "fanotify", -length, "");
    }

    /** Whether the kernel dropped one event because it could not open its file for us. */
    private static boolean isFileGone(int errno) {
        return errno != Errno.EBADF.number()
                && errno != Errno.EFAULT.number()
                && errno != Errno.EINVAL.number()
                && errno != Errno.EMFILE.number()
                && errno != Errno.ENFILE.number();
    }

    /** Parses struct fanotify_event_metadata, one after the other. */
    static Batch parse(MemorySegment bytes) throws LinuxException {
        List<Event> events = new ArrayList<>();
        boolean overflow = false;
        int unreadable = 0;
        long offset = 0;
        while (offset + HEADER_BYTES <= bytes.byteSize()) {
            int length = bytes.get(ValueLayout.JAVA_INT, offset);
            byte version = bytes.get(ValueLayout.JAVA_BYTE, offset + 4);
            if (version != VERSION || length < HEADER_BYTES || offset + length > bytes.byteSize()) {
                events.forEach(e -> Libc.close(e.fd()));
                throw new LinuxException(
                        "read", Errno.EINVAL.number(), "fanotify", "fanotify event of unknown version " + version);
            }
            long mask = bytes.get(ValueLayout.JAVA_LONG, offset + 8);
            int fd = bytes.get(ValueLayout.JAVA_INT, offset + 16);
            int pid = bytes.get(ValueLayout.JAVA_INT, offset + 20);
            if ((mask & FAN_Q_OVERFLOW) != 0) {
                overflow = true;
            } else if (fd < 0) {
                unreadable++;
            } else {
                events.add(new Event(fd, pid, (mask & FAN_OPEN_EXEC) != 0));
            }
            offset += length;
        }
        return new Batch(events, overflow, unreadable);
    }

    /** Removes all marks; events that were not read are lost. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(group);
            arena.close();
        }
    }

    /** Names of open files. */
    private static final class FileLinks {
        private static final byte[] DELETED = " (deleted)".getBytes(StandardCharsets.US_ASCII);

        static byte[] name(int fd) {
            return ("/proc/self/fd/" + fd).getBytes(StandardCharsets.US_ASCII);
        }

        static Optional<byte[]> ofDescriptor(int fd) throws LinuxException {
            byte[] path = new byte[4096];
            int length = LinuxException.check("readlink", "/proc/self/fd/" + fd, Libc.readlink(name(fd), path));
            int cut = length - DELETED.length;
            if (cut > 0 && Arrays.equals(path, cut, length, DELETED, 0, DELETED.length)) {
                boolean gone =
                        FileStatus.of(name(fd), true).map(s -> s.links() == 0).orElse(true);
                if (gone) {
                    return Optional.empty();
                }
            }
            return Optional.of(Arrays.copyOf(path, length));
        }
    }
}
