package io.faasimage.linux;

import io.faasimage.linux.libc.Libc;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A probe of the kernel features that a node uses, in a private directory, which is cleaned up afterwards. Nothing is
 * concluded from version numbers. Takes some ten milliseconds and needs root.
 */
public final class MountProbe {
    private static final Logger LOG = System.getLogger(MountProbe.class.getName());

    /** Followed by the process ID in the name of a probe's directory; the directory above may be another program's. */
    private static final String PREFIX = "faasimage-probe-";

    private static final Pattern NAME = Pattern.compile(PREFIX + "(?<pid>[0-9]{1,10})-[0-9]+");

    private static final String STUB_TARGET = "/ab/cdef";
    private static final byte[] CONTENT = "content".getBytes(StandardCharsets.US_ASCII);
    private static final int O_RDWR_CLOEXEC = 0x80002;
    private static final int EVENT_TIMEOUT_MILLIS = 2000;

    private final Path directory;

    private MountProbe(Path directory) {
        this.directory = directory;
    }

    /** The features that are tried. */
    public enum Feature {
        /** EROFS mounted straight from a file. */
        EROFS_FILE("upgrade to Linux 6.12 or later; until then a loop device is used"),
        /** EROFS on a loop device. */
        EROFS_LOOP("load the modules erofs and loop (modprobe erofs loop)"),
        /** Data-only layers of overlayfs, with metacopy and redirect. */
        OVERLAY_DATA_ONLY("upgrade to Linux 6.5 or later with CONFIG_OVERLAY_FS"),
        /** A writable overlay whose upper directory is in the state directory. */
        OVERLAY_WRITABLE("put the state directory on ext4, xfs (ftype=1) or btrfs, not on another overlay"),
        /** fanotify on the whole of an overlay. */
        FANOTIFY("use a kernel with CONFIG_FANOTIFY and run with CAP_SYS_ADMIN"),
        /** A FUSE file system. */
        FUSE("load the module fuse (modprobe fuse) and allow /dev/fuse");

        private final String remedy;

        Feature(String remedy) {
            this.remedy = remedy;
        }
    }

    /**
     * One trial's outcome.
     *
     * @param feature the tried feature
     * @param works whether it worked
     * @param detail the failure; empty when it worked
     * @param remedy how to get it; empty when it worked
     */
    public record Check(Feature feature, boolean works, String detail, String remedy) {}

    /**
     * All outcomes.
     *
     * @param checks one for each feature
     */
    public record Report(List<Check> checks) {
        public Report {
            checks = List.copyOf(checks);
        }

        /** Whether {@code feature} works. */
        public boolean works(Feature feature) {
            return checks.stream().anyMatch(c -> c.feature() == feature && c.works());
        }

        /** The outcome for {@code feature}. */
        public Optional<Check> check(Feature feature) {
            return checks.stream().filter(c -> c.feature() == feature).findFirst();
        }
    }

    /**
     * Tries every feature, and removes the remains of trials of a process that was killed meanwhile.
     *
     * @param state an existing directory on the file system where upper directories will be
     * @throws IOException when no temporary directory can be made in {@code state}
     */
    public static Report run(Path state) throws IOException {
        removeLeft(state.toRealPath());
        Path directory = Files.createTempDirectory(
                state.toRealPath(), PREFIX + ProcessHandle.current().pid() + "-");
        try {
            MountProbe probe = new MountProbe(directory);
            List<Check> checks = new ArrayList<>();
            for (Feature feature : Feature.values()) {
                checks.add(probe.attempt(feature));
            }
            return new Report(checks);
        } finally {
            cleanUp(directory);
        }
    }

    private Check attempt(Feature feature) {
        try {
            Path place = Files.createDirectory(directory.resolve(feature.name()));
            attempt(feature, place);
            return new Check(feature, true, "", "");
        } catch (IOException e) {
            return new Check(feature, false, e.getMessage() == null ? e.toString() : e.getMessage(), feature.remedy);
        }
    }

    private static void attempt(Feature feature, Path place) throws IOException {
        switch (feature) {
            case EROFS_FILE -> {
                Path image = Files.write(place.resolve("image"), EmptyErofs.image());
                Mounts.mount(image.toString(), Files.createDirectory(place.resolve("mnt")), "erofs", Mounts.RDONLY, "");
            }
            case EROFS_LOOP -> {
                Path image = Files.write(place.resolve("image"), EmptyErofs.image());
                try (LoopDevice loop = LoopDevice.attach(image)) {
                    Path target = Files.createDirectory(place.resolve("mnt"));
                    Mounts.mount(loop.path().toString(), target, "erofs", Mounts.RDONLY, "");
                }
            }
            case OVERLAY_DATA_ONLY -> dataOnly(place);
            case OVERLAY_WRITABLE -> writable(place);
            case FANOTIFY -> fanotify(place);
            case FUSE -> fuse(place);
        }
    }

    private static void dataOnly(Path place) throws IOException {
        Path meta = Files.createDirectory(place.resolve("meta"));
        Path data = Files.createDirectory(place.resolve("data"));
        Path stub = meta.resolve("file");
        try (var channel = Files.newByteChannel(stub, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.position(CONTENT.length - 1L);
            channel.write(ByteBuffer.allocate(1));
        }
        byte[] path = PathBytes.of(stub);
        ExtendedAttributes.set(path, "trusted.overlay.metacopy", new byte[0]);
        ExtendedAttributes.set(path, "trusted.overlay.redirect", STUB_TARGET.getBytes(StandardCharsets.US_ASCII));
        Path object = data.resolve(STUB_TARGET.substring(1));
        Files.createDirectories(data.resolve("ab"));
        Files.write(object, CONTENT);
        Path target = Files.createDirectory(place.resolve("mnt"));
        String options = "lowerdir=" + meta + "::" + data + ",metacopy=on,redirect_dir=on";
        Mounts.mount("overlay", target, "overlay", Mounts.RDONLY, options);
        if (!Arrays.equals(CONTENT, Files.readAllBytes(target.resolve("file")))) {
            throw new IOException("overlay did not find the content of a stub in its data-only layer");
        }
    }

    private static Path writable(Path place) throws IOException {
        Path lower = Files.createDirectory(place.resolve("lower"));
        Files.write(lower.resolve("file"), CONTENT);
        Path upper = Files.createDirectory(place.resolve("upper"));
        Path work = Files.createDirectory(place.resolve("work"));
        Path target = Files.createDirectory(place.resolve("mnt"));
        String options = "lowerdir=" + lower + ",upperdir=" + upper + ",workdir=" + work;
        Mounts.mount("overlay", target, "overlay", 0, options);
        Files.write(target.resolve("new"), CONTENT);
        return target;
    }

    private static void fanotify(Path place) throws IOException {
        Path target = writable(place);
        try (Fanotify group = Fanotify.open(false)) {
            group.watch(target);
            byte[] unused = Files.readAllBytes(target.resolve("file"));
            try (Fanotify.Batch batch = group.read(EVENT_TIMEOUT_MILLIS)) {
                if (batch.events().isEmpty()) {
                    throw new IOException(
                            "fanotify reported nothing of " + unused.length + " bytes read from an overlay");
                }
            }
        }
    }

    private static void fuse(Path place) throws IOException {
        Path target = Files.createDirectory(place.resolve("mnt"));
        byte[] device = PathBytes.of("/dev/fuse");
        int fd = LinuxException.check("open", "/dev/fuse", Libc.open(device, O_RDWR_CLOEXEC));
        try {
            String options = "fd=" + fd + ",rootmode=40000,user_id=0,group_id=0";
            Mounts.mount("probe", target, "fuse", Mounts.NOSUID | Mounts.NODEV, options);
            Mounts.detach(target);
        } finally {
            Libc.close(fd);
        }
    }

    private static void removeLeft(Path state) throws IOException {
        List<Path> left;
        try (var files = Files.list(state)) {
            left = files.filter(MountProbe::isLeft).toList();
        }
        for (Path directory : left) {
            try {
                cleanUp(directory);
            } catch (IOException e) {
                LOG.log(Level.WARNING, "could not remove " + directory + " of an earlier process", e);
            }
        }
    }

    private static boolean isLeft(Path directory) {
        Matcher name = NAME.matcher(directory.getFileName().toString());
        return name.matches()
                && ProcessHandle.of(Long.parseLong(name.group("pid"))).isEmpty();
    }

    private static void cleanUp(Path directory) throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(directory)) {
            Mounts.detach(Path.of(entry.target()));
        }
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
