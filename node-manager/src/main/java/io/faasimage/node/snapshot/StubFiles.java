package io.faasimage.node.snapshot;

import io.faasimage.linux.ExtendedAttributes;
import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of an upper directory that have attributes of their own and no content: overlayfs makes one when, under
 * {@code metacopy=on}, only the mode, owner or times of a file below change. A layer must not hold any, since its content is
 * found only as long as the same layers lie below.
 */
final class StubFiles {
    private static final String STUB_ATTRIBUTE = "trusted.overlay.metacopy";

    private StubFiles() {}

    /** The stubs in {@code upper}. */
    static List<Path> in(Path upper) throws IOException {
        List<Path> stubs = new ArrayList<>();
        Files.walkFileTree(upper, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (attributes.isRegularFile()
                        && ExtendedAttributes.getOfLink(bytes(file), STUB_ATTRIBUTE)
                                .isPresent()) {
                    stubs.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return stubs;
    }

    /**
     * Gives every stub in {@code upper} its content. overlayfs itself does the copying: it fills a stub that is opened for
     * writing, and keeps all its attributes but the times, which are set again here.
     *
     * @param overlay the overlay that {@code upper} is the upper directory of; it must not be mounted
     * @param mountPoint a directory to mount it on meanwhile; made and removed here
     * @throws IOException when a content cannot be found; the stubs filled so far stay so
     */
    static void fill(Mount overlay, Path upper, Path mountPoint) throws IOException {
        List<Path> stubs = in(upper);
        if (stubs.isEmpty()) {
            return;
        }
        Files.createDirectories(mountPoint);
        try {
            Mounts.mount(overlay.source(), mountPoint, overlay.type(), overlay.options());
            try {
                for (Path stub : stubs) {
                    fill(mountPoint.resolve(upper.relativize(stub)));
                }
            } finally {
                Mounts.detach(mountPoint);
            }
        } finally {
            Files.deleteIfExists(mountPoint);
        }
        List<Path> left = in(upper);
        if (!left.isEmpty()) {
            throw new IOException(left.size() + " files still have no content of their own, first " + left.getFirst());
        }
    }

    /** Whether an overlay that writes to {@code upper} is mounted where this process sees it. */
    static boolean isMounted(Path upper) throws IOException {
        String option = "upperdir=" + upper;
        return MountTable.read().entries().stream()
                .anyMatch(entry -> List.of(entry.superOptions().split(",", -1)).contains(option));
    }

    /** Unmounts what a crash during {@link #fill} left below {@code directory}. */
    static void unmountLeftovers(Path directory) throws IOException {
        for (MountTable.Entry entry : MountTable.read().below(directory)) {
            Path mountPoint = Path.of(entry.target());
            if (mountPoint.endsWith(SnapshotDirectories.MOUNT_POINT)) {
                Mounts.detach(mountPoint);
            }
        }
    }

    private static void fill(Path file) throws IOException {
        BasicFileAttributeView view = Files.getFileAttributeView(file, BasicFileAttributeView.class);
        BasicFileAttributes before = view.readAttributes();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            view.setTimes(before.lastModifiedTime(), before.lastAccessTime(), null);
            channel.force(true);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "the content of '" + file.getFileName() + "' is not on this node and was not fetched", e);
        }
    }

    /** The bytes of a path as the kernel has them; {@link Path#toString} may lose those that are no characters. */
    private static byte[] bytes(Path path) {
        String escaped = path.toUri().getRawPath();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            if (escaped.charAt(i) == '%') {
                bytes.write(Integer.parseInt(escaped, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.writeBytes(escaped.substring(i, i + 1).getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }
}
