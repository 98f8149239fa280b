package io.faasimage.node.containerd.snapshot;

import io.faasimage.linux.ExtendedAttributes;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import io.faasimage.linux.OpenDirectory;
import io.faasimage.linux.TreeWalk;
import io.faasimage.linux.TreeWalk.Entry;
import io.faasimage.linux.TreeWalk.FileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Files of an upper directory that have attributes of their own and no content: overlayfs makes one when, under
 * {@code metacopy=on}, only the mode, owner or times of a file below change. A layer must not hold any, since its
 * content is found only as long as the same layers lie below.
 */
final class StubFiles {
    private static final String STUB_ATTRIBUTE = "trusted.overlay.metacopy";

    private StubFiles() {}

    /**
     * How many stubs a directory holds.
     *
     * @param first the path of the first; empty when there are none
     */
    record Count(int number, String first) {}

    /** Counts the stubs in {@code upper}. */
    static Count in(Path upper) throws IOException {
        var counter = new TreeWalk.Visitor() {
            private int number;
            private String first = "";

            @Override
            public void file(Entry file) throws IOException {
                if (isStub(file)) {
                    first = number++ == 0 ? file.toString() : first;
                }
            }
        };
        TreeWalk.walk(upper, counter);
        return new Count(counter.number, counter.first);
    }

    private static boolean isStub(Entry file) throws IOException {
        return file.status().isRegular()
                && ExtendedAttributes.getOfLink(
                                file.directory().path(file.name().bytes()), STUB_ATTRIBUTE)
                        .isPresent();
    }

    /**
     * Gives every stub in {@code upper} its content. overlayfs itself does the copying: it fills a stub that is opened
     * for writing, and keeps all its attributes but the times, which are set again here.
     *
     * @param overlay the overlay that {@code upper} is the upper directory of; it must not be mounted
     * @param mountPoint a directory to mount it on meanwhile; made and removed here
     * @throws IOException when a content cannot be found; the stubs filled so far stay so
     */
    static void fill(Mount overlay, Path upper, Path mountPoint) throws IOException {
        if (in(upper).number() == 0) {
            return;
        }
        Files.createDirectories(mountPoint);
        try {
            Mounts.mount(overlay.source(), mountPoint, overlay.type(), overlay.options());
            try {
                TreeWalk.walk(upper, file -> {
                    if (isStub(file)) {
                        fill(mountPoint, file);
                    }
                });
            } finally {
                Mounts.detach(mountPoint);
            }
        } finally {
            Files.deleteIfExists(mountPoint);
        }
        Count left = in(upper);
        if (left.number() > 0) {
            throw new IOException(left.number() + " files still have no content of their own, first " + left.first());
        }
    }

    /** Whether an overlay that writes to {@code upper} is mounted where this process sees it. */
    static boolean isMounted(Path upper) throws IOException {
        String option = "upperdir=" + upper;
        return MountTable.read().entries().stream()
                .anyMatch(entry -> List.of(entry.superOptions().split(",", -1)).contains(option));
    }

    /** Unmounts the mounts that a crash during {@link #fill} left below {@code directory}. */
    static void unmountLeftovers(Path directory) throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(directory)) {
            Path mountPoint = Path.of(entry.target());
            if (mountPoint.endsWith(SnapshotDirectories.MOUNT_POINT)) {
                Mounts.detach(mountPoint);
            }
        }
    }

    /** Fills the stub that {@code file} is in the upper directory, through the overlay at {@code mountPoint}. */
    private static void fill(Path mountPoint, Entry file) throws IOException {
        OpenDirectory at = OpenDirectory.open(mountPoint);
        try {
            for (FileName name : file.parents()) {
                OpenDirectory child = at.child(name.bytes());
                at.close();
                at = child;
            }
            at.use(file.name().bytes(), path -> copyUp(path, file));
        } finally {
            at.close();
        }
    }

    private static void copyUp(Path opened, Entry file) throws IOException {
        BasicFileAttributeView view = Files.getFileAttributeView(opened, BasicFileAttributeView.class);
        BasicFileAttributes before = view.readAttributes();
        try (FileChannel channel = FileChannel.open(opened, StandardOpenOption.WRITE)) {
            view.setTimes(before.lastModifiedTime(), before.lastAccessTime(), null);
            channel.force(true);
        } catch (NoSuchFileException e) {
            throw new IOException("the content of '" + file + "' is not on this node and was not fetched", e);
        }
    }
}
