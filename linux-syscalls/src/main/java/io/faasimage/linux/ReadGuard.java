package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * A fanotify group that the kernel asks before it reads from one of its files; the reader waits for the answer, also
 * when the kernel reads on behalf of a file system that is mounted from the file. Reads and writes through descriptors
 * that were opened before the file was guarded are not asked for. Needs CAP_SYS_ADMIN, Linux 6.14, and a file on ext4,
 * xfs or btrfs.
 *
 * <p>The group ends with its last descriptor, in whatever process; then reads that wait are allowed. While another
 * process has one, too, a process that ends leaves reads that wait: the next takes the group over, and answers them.
 * {@link #read} is for one thread at a time, the answers are for any.
 *
 * @see <a href="https://man7.org/linux/man-pages/man7/fanotify.7.html">fanotify(7), FAN_PRE_ACCESS</a>
 */
public final class ReadGuard implements AutoCloseable {
    private static final int FAN_CLOEXEC = 1;
    private static final int FAN_NONBLOCK = 2;
    private static final int FAN_CLASS_PRE_CONTENT = 8;
    private static final int FAN_UNLIMITED_QUEUE = 0x10;
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int O_LARGEFILE = System.getProperty("os.arch", "").equals("aarch64") ? 0x20000 : 0x8000;
    private static final int FAN_MARK_ADD = 1;
    private static final int FAN_MARK_REMOVE = 2;
    private static final long FAN_PRE_ACCESS = 0x100000;
    private static final int FAN_EVENT_INFO_TYPE_RANGE = 6;
    private static final int RANGE_BYTES = 24;
    private static final int FAN_ALLOW = 1;
    private static final int FAN_DENY = 2;
    private static final int ERRNO_SHIFT = 24;
    private static final int RESPONSE_BYTES = 8;
    private static final int HEADER_BYTES = 24;
    private static final int BUFFER_BYTES = 16384;
    private static final int F_DUPFD_CLOEXEC = 1030;
    /** More reads than this do not wait at once. */
    private static final int MOST_DESCRIPTORS = 65_536;

    private final int group;
    /** Numbers of reads that were taken over, and that name other files in this process. */
    private final Set<Integer> foreign = ConcurrentHashMap.newKeySet();

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(BUFFER_BYTES, 8);

    private ReadGuard(int group) {
        this.group = group;
    }

    /**
     * A read that waits.
     *
     * @param fd descriptor of the file, open until the answer; its number names the read
     * @param pid process that reads
     * @param inode number of the file
     * @param offset first byte that is read; the kernel asks about whole pages
     * @param count how many
     */
    public record Question(int fd, int pid, long inode, long offset, long count) {}

    /** A group without files. */
    public static ReadGuard open() throws LinuxException {
        int flags = FAN_CLOEXEC | FAN_NONBLOCK | FAN_CLASS_PRE_CONTENT | FAN_UNLIMITED_QUEUE;
        int result = Libc.fanotifyInit(flags, O_RDONLY_CLOEXEC | O_LARGEFILE);
        return new ReadGuard(LinuxException.check("fanotify_init", "", result));
    }

    /**
     * The group that another process holds.
     *
     * @throws IOException when it is not available, or is something else
     */
    public static ReadGuard of(long pid, int descriptor) throws IOException {
        Descriptor duplicate = Descriptor.of(pid, descriptor);
        if (!duplicate.target().contains("[fanotify]")) {
            duplicate.close();
            throw new IOException("descriptor " + descriptor + " of process " + pid + " is no fanotify group");
        }
        return new ReadGuard(duplicate.number());
    }

    /** Its number in this process. */
    public int descriptor() {
        return group;
    }

    /**
     * Takes over the permission events that an earlier process has read from this group and not answered. Until they
     * are answered, the numbers of their descriptors are not given to other events.
     *
     * @param questions those of the earlier process
     */
    public void takeOver(Collection<Question> questions) {
        Set<Integer> known = questions.stream().map(Question::fd).collect(Collectors.toSet());
        for (Question question : questions) {
            int number = Libc.fcntl(group, F_DUPFD_CLOEXEC, question.fd());
            if (number >= 0 && number != question.fd()) {
                // It is a descriptor of this process, and no read gets it.
                foreign.add(question.fd());
                Libc.close(number);
            }
        }
        // One that the earlier process has read, and could not note.
        for (int fd = 0; fd < MOST_DESCRIPTORS; fd++) {
            if (!known.contains(fd)) {
                var _ = respond(fd, FAN_ALLOW);
            }
        }
    }

    /** From now on, the kernel asks before it reads from {@code file} through a descriptor that is opened later. */
    public void guard(Path file) throws LinuxException {
        mark(FAN_MARK_ADD, file);
    }

    /** The kernel asks no more about {@code file}; reads that wait still need an answer. */
    public void release(Path file) throws LinuxException {
        mark(FAN_MARK_REMOVE, file);
    }

    private void mark(int action, Path file) throws LinuxException {
        int result = Libc.fanotifyMark(group, action, FAN_PRE_ACCESS, PathBytes.of(file));
        LinuxException.check("fanotify_mark", file.toString(), result);
    }

    /**
     * Waits for reads.
     *
     * @param timeoutMillis how long to wait
     * @return those that wait for their answer; none when nothing happened
     */
    public List<Question> read(int timeoutMillis) throws LinuxException {
        int ready = Libc.pollInput(group, timeoutMillis);
        if (ready == 0 || ready == -Errno.EINTR.number()) {
            return List.of();
        }
        LinuxException.check("poll", "fanotify", ready);
        int length = Libc.read(group, buffer);
        if (length == -Errno.EAGAIN.number() || length == -Errno.EINTR.number()) {
            return List.of();
        }
        return parse(buffer.asSlice(0, LinuxException.check("read", "fanotify", length)));
    }

    /** Parses struct fanotify_event_metadata, each with a struct fanotify_event_info_range. */
    private static List<Question> parse(MemorySegment bytes) throws LinuxException {
        List<Question> questions = new ArrayList<>();
        for (long at = 0; at + HEADER_BYTES <= bytes.byteSize(); ) {
            int length = bytes.get(ValueLayout.JAVA_INT, at);
            int fd = bytes.get(ValueLayout.JAVA_INT, at + 16);
            long info = at + Short.toUnsignedInt(bytes.get(ValueLayout.JAVA_SHORT, at + 6));
            if (fd >= 0) {
                boolean ranged = info + RANGE_BYTES <= at + length
                        && bytes.get(ValueLayout.JAVA_BYTE, info) == FAN_EVENT_INFO_TYPE_RANGE;
                long offset = ranged ? bytes.get(ValueLayout.JAVA_LONG, info + 8) : 0;
                long count = ranged ? bytes.get(ValueLayout.JAVA_LONG, info + 16) : Long.MAX_VALUE;
                long inode = FileStatus.of(PathBytes.of("/proc/self/fd/" + fd), true)
                        .map(FileStatus::inode)
                        .orElse(0L);
                int pid = bytes.get(ValueLayout.JAVA_INT, at + 20);
                questions.add(new Question(fd, pid, inode, offset, count));
            }
            at += Math.max(length, HEADER_BYTES);
        }
        return questions;
    }

    /** The read goes on. */
    public void allow(Question question) throws LinuxException {
        answer(question, FAN_ALLOW);
    }

    /** The reader gets an input/output error. */
    public void fail(Question question) throws LinuxException {
        answer(question, FAN_DENY | Errno.EIO.number() << ERRNO_SHIFT);
    }

    private void answer(Question question, int response) throws LinuxException {
        try {
            int written = respond(question.fd(), response);
            // The reader was killed while it waited.
            if (written != -Errno.ENOENT.number()) {
                LinuxException.check("write", "fanotify", written);
            }
        } finally {
            if (!foreign.remove(question.fd())) {
                Libc.close(question.fd());
            }
        }
    }

    private int respond(int fd, int response) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment answer = call.allocate(RESPONSE_BYTES, 4);
            answer.set(ValueLayout.JAVA_INT, 0, fd);
            answer.set(ValueLayout.JAVA_INT, 4, response);
            return Libc.write(group, answer);
        }
    }

    /** Reads that wait are allowed, unless another process has the group, too. */
    @Override
    public void close() {
        Libc.close(group);
        arena.close();
    }
}
