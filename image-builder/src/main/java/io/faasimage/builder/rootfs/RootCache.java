package io.faasimage.builder.rootfs;

import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.tree.FileTree;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.ResolvedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Unpacked root file systems, one directory per image manifest, published by a rename. The least recently used ones
 * beyond a number are removed, except those in use. Thread-safe; the unpacking of one waits for that of another.
 */
public final class RootCache {
    private static final String INCOMING = "incoming-";

    private final Path directory;
    private final int kept;
    private final long maxBytes;
    private final Map<Path, Integer> users = new HashMap<>();
    private final List<Path> leftovers = new ArrayList<>();

    /**
     * A cache in {@code directory}, where nothing else is.
     *
     * @param kept root file systems that are kept
     * @param maxBytes largest image that is unpacked
     */
    public RootCache(Path directory, int kept, long maxBytes) throws IOException {
        this.directory = Files.createDirectories(
                directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        this.kept = kept;
        this.maxBytes = maxBytes;
        children().stream().filter(RootCache::isIncoming).forEach(leftovers::add);
    }

    private static boolean isIncoming(Path child) {
        return String.valueOf(child.getFileName()).startsWith(INCOMING);
    }

    /** Removes what was being unpacked when a process was killed. */
    public void removeLeftovers() throws IOException {
        FileTree.removeAll(leftovers, FileTree::remove);
    }

    /** The root file system of {@code image}, for reading until the lease is closed. */
    public synchronized Lease take(ImageSource source, ResolvedImage image) throws IOException {
        Path place = directory.resolve(image.manifest().hex());
        if (!Files.isDirectory(place)) {
            unpack(source, image, place);
        }
        Files.setLastModifiedTime(place, FileTime.from(Instant.now()));
        users.merge(place, 1, Integer::sum);
        evict();
        return new Lease(place, this);
    }

    private void unpack(ImageSource source, ResolvedImage image, Path place) throws IOException {
        Path incoming = Files.createTempDirectory(directory, INCOMING);
        try {
            Path root = Files.createDirectory(incoming.resolve("root"));
            LayerUnpacker unpacker = new LayerUnpacker(root, maxBytes);
            for (LayerDescriptor layer : image.layers()) {
                try (InputStream blob = source.openLayer(layer)) {
                    unpacker.unpack(blob, "layer " + layer.digest() + " of " + image.reference());
                }
            }
            Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(root, place, StandardCopyOption.ATOMIC_MOVE);
        } catch (UnsupportedOperationException e) {
            throw new BuildException(
                    BuildException.Kind.MACHINE, "the service's file system has no owners and modes of files", e);
        } finally {
            FileTree.remove(incoming);
        }
    }

    private void evict() throws IOException {
        List<Path> all = new ArrayList<>(children());
        all.removeIf(RootCache::isIncoming);
        Map<Path, FileTime> times = new HashMap<>();
        for (Path root : all) {
            times.put(root, Files.getLastModifiedTime(root));
        }
        all.sort(Comparator.comparing(times::get).reversed());
        for (Path root : all.subList(Math.min(kept, all.size()), all.size())) {
            if (users.getOrDefault(root, 0) == 0) {
                FileTree.remove(root);
            }
        }
    }

    private List<Path> children() throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
            all.forEach(children::add);
        }
        return children;
    }

    private synchronized void give(Path place) {
        users.merge(place, -1, Integer::sum);
    }

    /**
     * The use of one root file system.
     *
     * @param root its directory; not to be written to
     */
    public record Lease(Path root, RootCache cache) implements AutoCloseable {
        @Override
        public void close() {
            cache.give(root);
        }
    }
}
