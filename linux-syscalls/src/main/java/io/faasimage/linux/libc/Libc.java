package io.faasimage.linux.libc;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Functions of the C library. Each answers a non-negative result, or the negated errno. Thread-safe; x86_64 and
 * aarch64.
 */
public final class Libc {
    private static final Symbols SYMBOLS = new Symbols();

    private static final NativeFunction MOUNT =
            SYMBOLS.find("mount", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
    private static final NativeFunction UMOUNT2 =
            SYMBOLS.find("umount2", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final NativeFunction OPEN = SYMBOLS.find(
            "open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final NativeFunction OPENAT = SYMBOLS.find(
            "openat",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
            Linker.Option.firstVariadicArg(3));
    private static final NativeFunction UNLINKAT =
            SYMBOLS.find("unlinkat", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    /** For calls that the C library has by name since 2.30 or 2.36 only. */
    private static final NativeFunction SYSCALL = SYMBOLS.find(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(1));

    private static final long SYS_GETDENTS64 = System.getProperty("os.arch", "").equals("aarch64") ? 61 : 217;
    private static final long SYS_OPEN_TREE = 428;
    private static final long SYS_MOVE_MOUNT = 429;
    private static final long SYS_MOUNT_SETATTR = 442;
    private static final long AT_FDCWD = -100;
    private static final NativeFunction CLOSE = SYMBOLS.find("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final NativeFunction READ =
            SYMBOLS.find("read", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final NativeFunction WRITE =
            SYMBOLS.find("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final NativeFunction MINCORE =
            SYMBOLS.find("mincore", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, ADDRESS));
    private static final NativeFunction GETPAGESIZE = SYMBOLS.find("getpagesize", FunctionDescriptor.of(JAVA_INT));
    private static final NativeFunction POLL =
            SYMBOLS.find("poll", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final NativeFunction POSIX_FADVISE =
            SYMBOLS.find("posix_fadvise", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final NativeFunction FCNTL = SYMBOLS.find(
            "fcntl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), Linker.Option.firstVariadicArg(2));
    private static final NativeFunction FALLOCATE =
            SYMBOLS.find("fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final NativeFunction SYNCFS = SYMBOLS.find("syncfs", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final NativeFunction SETNS =
            SYMBOLS.find("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final NativeFunction STATFS =
            SYMBOLS.find("statfs", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    private static final NativeFunction STATX =
            SYMBOLS.find("statx", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    private static final NativeFunction READLINK =
            SYMBOLS.find("readlink", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG));
    private static final NativeFunction LGETXATTR =
            SYMBOLS.find("lgetxattr", FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
    private static final NativeFunction SETXATTR =
            SYMBOLS.find("setxattr", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final NativeFunction FANOTIFY_INIT =
            SYMBOLS.find("fanotify_init", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final NativeFunction FANOTIFY_MARK = SYMBOLS.find(
            "fanotify_mark", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT, ADDRESS));
    private static final NativeFunction IOCTL_LONG = SYMBOLS.find(
            "ioctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG),
            Linker.Option.firstVariadicArg(2));
    private static final NativeFunction IOCTL_POINTER = SYMBOLS.find(
            "ioctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), Linker.Option.firstVariadicArg(2));

    private static final int STATX_BYTES = 256;
    private static final int STATFS_BYTES = 256;
    private static final int PATH_MAX = 4096;
    private static final long SYS_PIDFD_OPEN = 434;
    private static final long SYS_PIDFD_GETFD = 438;
    private static final long SYS_CACHESTAT = 451;
    /** {@code struct cachestat_range} and {@code struct cachestat}. */
    private static final int CACHESTAT_RANGE_BYTES = 16;

    private static final int CACHESTAT_BYTES = 40;

    private Libc() {}

    /** Why native calls cannot be made here, and the remedy; empty when they can. */
    public static Optional<String> problem() {
        return SYMBOLS.problem();
    }

    /** mount(2). */
    public static int mount(
            byte @Nullable [] source, byte[] target, byte @Nullable [] type, long flags, byte @Nullable [] data) {
        return call((arena, state) -> (int) MOUNT.handle()
                .invokeExact(
                        state,
                        Symbols.string(arena, source),
                        Symbols.string(arena, target),
                        Symbols.string(arena, type),
                        flags,
                        Symbols.string(arena, data)));
    }

    /** open_tree(2); the answer is a file descriptor. */
    public static int openTree(byte[] path, int flags) {
        return call((arena, state) -> (long) SYSCALL.handle()
                .invokeExact(
                        state,
                        SYS_OPEN_TREE,
                        AT_FDCWD,
                        Symbols.string(arena, path).address(),
                        (long) flags,
                        0L,
                        0L));
    }

    /** move_mount(2) of an open mount to a path. */
    public static int moveMount(int mount, byte[] target, int flags) {
        return call((arena, state) -> (long) SYSCALL.handle()
                .invokeExact(
                        state,
                        SYS_MOVE_MOUNT,
                        (long) mount,
                        Symbols.string(arena, new byte[0]).address(),
                        AT_FDCWD,
                        Symbols.string(arena, target).address(),
                        (long) flags));
    }

    /** mount_setattr(2) of an open mount. */
    public static int mountSetattr(int mount, int flags, byte[] attributes) {
        return call((arena, state) -> {
            MemorySegment structure = arena.allocate(attributes.length, 8);
            MemorySegment.copy(attributes, 0, structure, ValueLayout.JAVA_BYTE, 0, attributes.length);
            return (long) SYSCALL.handle()
                    .invokeExact(
                            state,
                            SYS_MOUNT_SETATTR,
                            (long) mount,
                            Symbols.string(arena, new byte[0]).address(),
                            (long) flags,
                            structure.address(),
                            structure.byteSize());
        });
    }

    /** umount2(2). */
    public static int umount2(byte[] target, int flags) {
        return call((arena, state) -> (int) UMOUNT2.handle().invokeExact(state, Symbols.string(arena, target), flags));
    }

    /** open(2); the answer is a file descriptor. */
    public static int open(byte[] path, int flags) {
        return call((arena, state) -> (int) OPEN.handle().invokeExact(state, Symbols.string(arena, path), flags, 0));
    }

    /** openat(2) of a file that is there; the answer is a file descriptor. */
    public static int openat(int directory, byte[] path, int flags) {
        return call((arena, state) ->
                (int) OPENAT.handle().invokeExact(state, directory, Symbols.string(arena, path), flags, 0));
    }

    /** unlinkat(2). */
    public static int unlinkat(int directory, byte[] path, int flags) {
        return call((arena, state) ->
                (int) UNLINKAT.handle().invokeExact(state, directory, Symbols.string(arena, path), flags));
    }

    /** getdents64(2) into the whole of {@code buffer}; the answer is the number of bytes, 0 at the end. */
    public static int getdents64(int fd, MemorySegment buffer) {
        return call((arena, state) -> (long) SYSCALL.handle()
                .invokeExact(state, SYS_GETDENTS64, (long) fd, buffer.address(), buffer.byteSize(), 0L, 0L));
    }

    /** close(2). */
    public static int close(int fd) {
        return call((arena, state) -> (int) CLOSE.handle().invokeExact(state, fd));
    }

    /** read(2) into the whole of {@code buffer}; the answer is the number of bytes. */
    public static int read(int fd, MemorySegment buffer) {
        return call((arena, state) -> (long) READ.handle().invokeExact(state, fd, buffer, buffer.byteSize()));
    }

    /** write(2) of the whole of {@code buffer}; the answer is the number of bytes. */
    public static int write(int fd, MemorySegment buffer) {
        return call((arena, state) -> (long) WRITE.handle().invokeExact(state, fd, buffer, buffer.byteSize()));
    }

    /** getpagesize(2). */
    public static int getpagesize() {
        return call((arena, state) -> (int) GETPAGESIZE.handle().invokeExact(state));
    }

    /** mincore(2) of the whole of {@code mapped}, which begins at a page; one byte of {@code pages} for each page. */
    public static int mincore(MemorySegment mapped, MemorySegment pages) {
        return call((arena, state) -> (int) MINCORE.handle().invokeExact(state, mapped, mapped.byteSize(), pages));
    }

    /** pidfd_open(2); the answer is a file descriptor. */
    public static int pidfdOpen(int pid) {
        return call((arena, state) ->
                (long) SYSCALL.handle().invokeExact(state, SYS_PIDFD_OPEN, (long) pid, 0L, 0L, 0L, 0L));
    }

    /** pidfd_getfd(2); the answer is a file descriptor, closed when another program is executed. */
    public static int pidfdGetfd(int pidfd, int fd) {
        return call((arena, state) ->
                (long) SYSCALL.handle().invokeExact(state, SYS_PIDFD_GETFD, (long) pidfd, (long) fd, 0L, 0L, 0L));
    }

    /**
     * poll(2) of one descriptor for input.
     *
     * @param timeoutMillis how long to wait
     * @return 1 when there is input (or an error to read), 0 when the time passed
     */
    public static int pollInput(int fd, int timeoutMillis) {
        return call((arena, state) -> {
            MemorySegment entry = arena.allocate(8, 4);
            entry.set(JAVA_INT, 0, fd);
            entry.set(ValueLayout.JAVA_SHORT, 4, (short) 1);
            return (int) POLL.handle().invokeExact(state, entry, 1L, timeoutMillis);
        });
    }

    /** posix_fadvise(3); to the end of the file when {@code length} is 0. */
    public static int fadvise(int fd, long offset, long length, int advice) {
        // It answers the errno itself.
        return call((arena, state) -> -(int) POSIX_FADVISE.handle().invokeExact(state, fd, offset, length, advice));
    }

    /** fcntl(2) with an integer. */
    public static int fcntl(int fd, int command, int argument) {
        return call((arena, state) -> (int) FCNTL.handle().invokeExact(state, fd, command, argument));
    }

    /** fallocate(2). */
    public static int fallocate(int fd, int mode, long offset, long length) {
        return call((arena, state) -> (int) FALLOCATE.handle().invokeExact(state, fd, mode, offset, length));
    }

    /** cachestat(2) of a whole file (Linux 6.5): its pages in the page cache, at most 2^31 - 1. */
    public static int cachedPages(int fd) {
        return call((arena, state) -> {
            MemorySegment range = arena.allocate(CACHESTAT_RANGE_BYTES, Long.BYTES);
            MemorySegment pages = arena.allocate(CACHESTAT_BYTES, Long.BYTES);
            long result = (long) SYSCALL.handle()
                    .invokeExact(state, SYS_CACHESTAT, (long) fd, range.address(), pages.address(), 0L, 0L);
            return result < 0 ? result : Math.min(pages.get(JAVA_LONG, 0), Integer.MAX_VALUE);
        });
    }

    /** syncfs(2). */
    public static int syncfs(int fd) {
        return call((arena, state) -> (int) SYNCFS.handle().invokeExact(state, fd));
    }

    /** setns(2): moves the calling thread, which must be a platform thread. */
    public static int setns(int fd, int namespaceType) {
        return call((arena, state) -> (int) SETNS.handle().invokeExact(state, fd, namespaceType));
    }

    /** statfs(2): fills type, block size, blocks, free, available into {@code out} (5 numbers). */
    public static int statfs(byte[] path, long[] out) {
        return call((arena, state) -> {
            MemorySegment buffer = arena.allocate(STATFS_BYTES, 8);
            int result = (int) STATFS.handle().invokeExact(state, Symbols.string(arena, path), buffer);
            for (int i = 0; i < 5; i++) {
                out[i] = buffer.getAtIndex(JAVA_LONG, i);
            }
            return result;
        });
    }

    /** statx(2): fills the structure of the kernel into {@code out} (256 bytes). */
    public static int statx(int directory, byte[] path, int flags, int mask, byte[] out) {
        return call((arena, state) -> {
            MemorySegment buffer = arena.allocate(STATX_BYTES, 8);
            int result = (int)
                    STATX.handle().invokeExact(state, directory, Symbols.string(arena, path), flags, mask, buffer);
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, out, 0, Math.min(out.length, STATX_BYTES));
            return result;
        });
    }

    /** readlink(2) into {@code out}; the answer is the number of bytes. */
    public static int readlink(byte[] path, byte[] out) {
        return call((arena, state) -> {
            MemorySegment buffer = arena.allocate(PATH_MAX);
            long length = (long) READLINK.handle()
                    .invokeExact(state, Symbols.string(arena, path), buffer, (long) Math.min(out.length, PATH_MAX));
            copy(buffer, length, out);
            return length;
        });
    }

    /** lgetxattr(2); an empty {@code out} requests the size only. */
    public static int lgetxattr(byte[] path, byte[] name, byte[] out) {
        return call((arena, state) -> {
            MemorySegment buffer = arena.allocate(Math.max(1, out.length));
            long length = (long) LGETXATTR
                    .handle()
                    .invokeExact(
                            state, Symbols.string(arena, path), Symbols.string(arena, name), buffer, (long) out.length);
            copy(buffer, length, out);
            return length;
        });
    }

    /** setxattr(2). */
    public static int setxattr(byte[] path, byte[] name, byte[] value) {
        return call((arena, state) -> {
            MemorySegment buffer = arena.allocate(Math.max(1, value.length));
            MemorySegment.copy(value, 0, buffer, ValueLayout.JAVA_BYTE, 0, value.length);
            return (int) SETXATTR.handle()
                    .invokeExact(
                            state,
                            Symbols.string(arena, path),
                            Symbols.string(arena, name),
                            buffer,
                            (long) value.length,
                            0);
        });
    }

    /** fanotify_init(2). */
    public static int fanotifyInit(int flags, int eventFlags) {
        return call((arena, state) -> (int) FANOTIFY_INIT.handle().invokeExact(state, flags, eventFlags));
    }

    /** fanotify_mark(2) of a path. */
    public static int fanotifyMark(int group, int flags, long mask, byte[] path) {
        return call((arena, state) ->
                (int) FANOTIFY_MARK.handle().invokeExact(state, group, flags, mask, -100, Symbols.string(arena, path)));
    }

    /** ioctl(2) with a number. */
    public static int ioctl(int fd, long request, long argument) {
        return call((arena, state) -> (int) IOCTL_LONG.handle().invokeExact(state, fd, request, argument));
    }

    /** ioctl(2) with a structure, which is read by the kernel. */
    public static int ioctl(int fd, long request, byte[] structure) {
        return call((arena, state) -> {
            MemorySegment buffer = arena.allocate(structure.length, 8);
            MemorySegment.copy(structure, 0, buffer, ValueLayout.JAVA_BYTE, 0, structure.length);
            return (int) IOCTL_POINTER.handle().invokeExact(state, fd, request, buffer);
        });
    }

    /** ioctl(2) with a structure, which is written by the kernel. */
    public static int ioctlRead(int fd, long request, byte[] structure) {
        return call((arena, state) -> {
            MemorySegment buffer = arena.allocate(structure.length, 8);
            int result = (int) IOCTL_POINTER.handle().invokeExact(state, fd, request, buffer);
            copy(buffer, structure.length, structure);
            return result;
        });
    }

    private static void copy(MemorySegment from, long length, byte[] to) {
        if (length > 0 && to.length > 0) {
            MemorySegment.copy(from, ValueLayout.JAVA_BYTE, 0, to, 0, (int) Math.min(length, to.length));
        }
    }

    @FunctionalInterface
    private interface Native {
        @SuppressWarnings("checkstyle:IllegalThrows")
        long run(Arena arena, MemorySegment state) throws Throwable;
    }

    private static int call(Native call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = Symbols.state(arena);
            return Math.toIntExact(Symbols.result(call.run(arena, state), state));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
    }
}
