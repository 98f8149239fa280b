package io.faasimage.node.starts.trace;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.linux.ExtendedAttributes;
import io.faasimage.linux.Fanotify;
import io.faasimage.linux.FileStatus;
import io.faasimage.linux.LinuxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A resolver of the image's file that an event is about. Stateless.
 *
 * <p>The kernel names an opened file from the root of the mount it was opened through: the container's own root after
 * its runtime has changed roots, any directory before. So the name's ends are tried, longest first, until one names the
 * very same inode below our own mount point. Only looks files up, never opens them.
 */
final class ContainerPaths {
    private static final int MAX_DEPTH = 256;
    private static final String REDIRECT = "trusted.overlay.redirect";
    private static final Pattern OBJECT = Pattern.compile("/([0-9a-f]{2})/([0-9a-f]{62})");

    private final String root;
    private final List<String> lowers;

    /**
     * @param root where the overlay is mounted
     * @param overlayOptions its options, for the image's own directories
     */
    ContainerPaths(Path root, List<String> overlayOptions) {
        this.root = raw(root.toString());
        this.lowers = OverlayOptions.lowerDirectories(overlayOptions);
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

    /** Whether one of the image's layers has the file; files that the container made itself are not of the image. */
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

    /** The object that has the content of {@code path}; empty when that is not the stub of a planned image. */
    Optional<Digest> object(FilePath path) throws LinuxException {
        for (String lower : lowers) {
            byte[] file = (lower + "/" + path.raw()).getBytes(StandardCharsets.ISO_8859_1);
            if (FileStatus.of(file, false).isPresent()) {
                return ExtendedAttributes.getOfLink(file, REDIRECT)
                        .map(redirect -> OBJECT.matcher(new String(redirect, StandardCharsets.ISO_8859_1)))
                        .filter(Matcher::matches)
                        .map(object -> new Digest(object.group(1) + object.group(2)));
            }
        }
        return Optional.empty();
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
}
