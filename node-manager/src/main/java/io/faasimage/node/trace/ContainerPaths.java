package io.faasimage.node.trace;

import io.faasimage.format.tree.FilePath;
import io.faasimage.linux.Fanotify;
import io.faasimage.linux.FileStatus;
import io.faasimage.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A resolver of the image's file that an event is about. Stateless.
 *
 * <p>The kernel names an opened file from the root of the mount it was opened through: the container's own root after
 * its runtime has changed roots, any directory before. So the name's ends are tried, longest first, until one names the
 * very same inode below our own mount point. Only looks files up, never opens them.
 */
final class ContainerPaths {
    private static final int MAX_DEPTH = 256;

    private final String root;
    private final List<String> lowers;

    /**
     * @param root where the overlay is mounted
     * @param overlayOptions its options, for the image's own directories
     */
    ContainerPaths(Path root, List<String> overlayOptions) {
        this.root = raw(root.toString());
        this.lowers = lowerDirectories(overlayOptions);
    }

    /**
     * A file of the image that was opened.
     *
     * @param path in the image
     * @param through the directory that it was opened through, as the kernel names it; empty for the container's own
     *     root
     */
    record Opened(FilePath path, String through) {}

    /** The event's file in the image; empty when it is no regular file, deleted, or not of the image. */
    Optional<Opened> of(Fanotify.Event event) throws LinuxException {
        Optional<FileStatus> status = event.status();
        Optional<byte[]> named = event.path();
        if (status.isEmpty()
                || named.isEmpty()
                || !status.get().isRegular()
                || status.get().links() == 0) {
            return Optional.empty();
        }
        String name = new String(named.get(), StandardCharsets.ISO_8859_1);
        return inside(name, status.get())
                .filter(this::isOfImage)
                .map(path -> new Opened(new FilePath(path), name.substring(0, name.length() - path.length() - 1)));
    }

    private Optional<String> inside(String name, FileStatus status) throws LinuxException {
        if (name.startsWith(root + "/") && isAt(name.substring(root.length()), status)) {
            return Optional.of(name.substring(root.length() + 1));
        }
        String rest = name;
        for (int i = 0; i < MAX_DEPTH && rest.startsWith("/"); i++) {
            if (isAt(rest, status)) {
                return Optional.of(rest.substring(1));
            }
            int next = rest.indexOf('/', 1);
            rest = next < 0 ? "" : rest.substring(next);
        }
        return Optional.empty();
    }

    private boolean isAt(String rest, FileStatus status) throws LinuxException {
        return status(root + rest).filter(status::sameFile).isPresent();
    }

    /** Whether one of the image's layers has the file; what the container made itself is not of the image. */
    private boolean isOfImage(String path) {
        try {
            for (String lower : lowers) {
                Optional<FileStatus> status = status(lower + "/" + path);
                if (status.isPresent()) {
                    return status.get().isRegular();
                }
            }
            return lowers.isEmpty();
        } catch (LinuxException e) {
            return false;
        }
    }

    /** Whether the root directory of process {@code pid} is the container's. */
    boolean isRootOf(int pid) {
        try {
            Optional<FileStatus> theirs = status("/proc/" + pid + "/root/.");
            return theirs.isPresent() && isAt("/.", theirs.get());
        } catch (LinuxException e) {
            return false;
        }
    }

    private static Optional<FileStatus> status(String path) throws LinuxException {
        return FileStatus.of(path.getBytes(StandardCharsets.ISO_8859_1), false);
    }

    private static String raw(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** The layers named by {@code lowerdir=}, top first, without the data-only ones; a backslash protects a colon. */
    static List<String> lowerDirectories(List<String> overlayOptions) {
        String value = overlayOptions.stream()
                .filter(o -> o.startsWith("lowerdir="))
                .map(o -> o.substring("lowerdir=".length()))
                .findFirst()
                .orElse("");
        List<String> directories = new ArrayList<>();
        StringBuilder directory = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && i + 1 < value.length()) {
                directory.append(value.charAt(++i));
            } else if (c == ':') {
                if (directory.isEmpty()) {
                    return List.copyOf(directories); // "::": the rest are data-only layers
                }
                directories.add(raw(directory.toString()));
                directory.setLength(0);
            } else {
                directory.append(c);
            }
        }
        if (!directory.isEmpty()) {
            directories.add(raw(directory.toString()));
        }
        return List.copyOf(directories);
    }
}
