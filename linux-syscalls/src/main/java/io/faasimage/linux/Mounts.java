package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Mounting and unmounting. Needs CAP_SYS_ADMIN. Thread-safe; blocks as long as the kernel does. */
public final class Mounts {
    /** Longest option string that mount(2) reads (one page less its end). */
    public static final int MAX_OPTION_BYTES = 4095;

    /** Flag: no writes. */
    public static final long RDONLY = 1;
    /** Flag: set-user-id bits are ignored. */
    public static final long NOSUID = 2;
    /** Flag: no device files. */
    public static final long NODEV = 4;
    /** Flag: no programs. */
    public static final long NOEXEC = 8;
    /** Flag: change the flags of a mount. */
    public static final long REMOUNT = 32;
    /** Flag: access times are not kept. */
    public static final long NOATIME = 1024;
    /** Flag: a directory or file at another place. */
    public static final long BIND = 4096;
    /** Flag: with {@link #BIND} or a propagation flag, all mounts below too. */
    public static final long REC = 16384;
    /** Flag: no propagation to or from other mount namespaces. */
    public static final long PRIVATE = 1 << 18;
    /** Flag: access times are kept roughly. */
    public static final long RELATIME = 1 << 21;

    private static final int MNT_DETACH = 2;
    private static final int UMOUNT_NOFOLLOW = 8;

    private static final Map<String, Long> FLAGS = Map.ofEntries(
            Map.entry("ro", RDONLY),
            Map.entry("rw", 0L),
            Map.entry("nosuid", NOSUID),
            Map.entry("nodev", NODEV),
            Map.entry("noexec", NOEXEC),
            Map.entry("noatime", NOATIME),
            Map.entry("relatime", RELATIME),
            Map.entry("remount", REMOUNT),
            Map.entry("bind", BIND),
            Map.entry("rbind", BIND | REC),
            Map.entry("defaults", 0L));

    private Mounts() {}

    /**
     * mount(2).
     *
     * @param source device, file or directory; a word such as {@code overlay} when the type has none
     * @param target an existing directory
     * @param type the file system's type
     * @param flags of this class, or-ed
     * @param options the type's own options, comma-separated
     */
    public static void mount(String source, Path target, String type, long flags, String options)
            throws LinuxException {
        byte[] data = PathBytes.of(options);
        if (data.length > MAX_OPTION_BYTES) {
            throw new LinuxException(
                    "mount",
                    Errno.ENAMETOOLONG.number(),
                    target.toString(),
                    "mount options for " + target + " have " + data.length + " bytes, the kernel reads "
                            + MAX_OPTION_BYTES + "; use a shorter state directory or fewer layers");
        }
        int result = Libc.mount(
                PathBytes.of(source), PathBytes.of(target), type.getBytes(StandardCharsets.US_ASCII), flags, data);
        if (result < 0) {
            throw LinuxException.failed("mount", type + " at " + target, -result, remedy(type, -result));
        }
    }

    /**
     * Mounts {@code type} with options in the words of mount(8): generic ones become flags, the rest is the type's own.
     */
    public static void mount(String source, Path target, String type, List<String> options) throws LinuxException {
        long flags = 0;
        List<String> own = new ArrayList<>();
        for (String option : options) {
            Long flag = FLAGS.get(option);
            if (flag == null) {
                own.add(option);
            } else {
                flags |= flag;
            }
        }
        mount(source, target, type, flags, String.join(",", own));
    }

    /** Makes {@code source} visible at {@code target} too. */
    public static void bind(Path source, Path target, boolean readOnly) throws LinuxException {
        mount(source.toString(), target, "none", BIND, "");
        if (readOnly) {
            mount(source.toString(), target, "none", BIND | REMOUNT | RDONLY, "");
        }
    }

    /** Unmounts {@code target}; fails with EBUSY while it is in use. */
    public static void unmount(Path target) throws LinuxException {
        LinuxException.check("umount", target.toString(), Libc.umount2(PathBytes.of(target), UMOUNT_NOFOLLOW));
    }

    /** Takes {@code target} out of the tree at once; the file system ends when its last user has gone (MNT_DETACH). */
    public static void detach(Path target) throws LinuxException {
        LinuxException.check(
                "umount", target.toString(), Libc.umount2(PathBytes.of(target), MNT_DETACH | UMOUNT_NOFOLLOW));
    }

    private static String remedy(String type, int errno) {
        if (errno == Errno.ENODEV.number()) {
            return "the kernel has no " + type + "; try `modprobe " + type.toLowerCase(Locale.ROOT) + "`";
        }
        if (errno == Errno.EINVAL.number() || errno == Errno.ELOOP.number()) {
            return "the kernel's log (dmesg) has the reason";
        }
        return "";
    }
}
