package io.faasimage.builder.rootfs;

import io.faasimage.builder.fault.BuildException;
import io.faasimage.builder.tree.FileTree;
import io.faasimage.refactor.stream.Decompressed;
import io.faasimage.refactor.stream.PaxTap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * An unpacker of an image's layers on top of each other, whiteouts included. Devices are left out, and set-user-ID
 * bits: a build needs neither. Not thread-safe.
 */
final class LayerUnpacker {
    private static final String WHITEOUT = ".wh.";
    private static final int MAX_ENTRIES = 200_000;
    private static final String OPAQUE = ".wh..wh..opq";

    private final RootDirectory root;
    private final long maxBytes;
    private long bytes;
    private int entries;

    LayerUnpacker(Path root, long maxBytes) {
        this.root = new RootDirectory(root);
        this.maxBytes = maxBytes;
    }

    /** Unpacks one layer above those before it; {@code name} is for messages. */
    void unpack(InputStream blob, String name) throws IOException {
        Set<Path> own = new HashSet<>();
        try (Decompressed plain = Decompressed.of(blob, name);
                TarArchiveInputStream tar =
                        new TarArchiveInputStream(new PaxTap(plain), StandardCharsets.UTF_8.name())) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (++entries > MAX_ENTRIES) {
                    throw tooLarge(MAX_ENTRIES + " entries");
                }
                Path place = root.place(entry.getName());
                String last = String.valueOf(place.getFileName());
                if (last.equals(OPAQUE)) {
                    empty(place.resolveSibling("."), own);
                    root.changed();
                } else if (last.startsWith(WHITEOUT)) {
                    FileTree.remove(place.resolveSibling(last.substring(WHITEOUT.length())));
                    root.changed();
                } else {
                    put(tar, entry, place);
                    own.add(place);
                }
            }
            // The blob's digest is verified at its end.
            plain.transferTo(java.io.OutputStream.nullOutputStream());
            blob.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }

    private static void empty(Path directory, Set<Path> kept) throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(directory.normalize())) {
            for (Path child : children) {
                if (!kept.contains(child)) {
                    FileTree.remove(child);
                }
            }
        }
    }

    private void put(TarArchiveInputStream tar, TarArchiveEntry entry, Path place) throws IOException {
        if (entry.isBlockDevice() || entry.isCharacterDevice() || entry.isFIFO()) {
            return;
        }
        boolean directory = Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
        if (entry.isDirectory() && directory) {
            attributes(place, entry);
            return;
        }
        if (place.equals(root.path())) {
            return;
        }
        if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
            FileTree.remove(place);
            root.changed();
        }
        if (entry.isDirectory()) {
            Files.createDirectory(place);
        } else if (entry.isSymbolicLink()) {
            root.changed();
            Files.createSymbolicLink(place, Path.of(entry.getLinkName()));
        } else if (entry.isLink()) {
            Files.createLink(place, root.place(entry.getLinkName()));
            return;
        } else {
            count(entry);
            Files.copy(tar, place);
        }
        attributes(place, entry);
    }

    private void count(TarArchiveEntry entry) throws BuildException {
        bytes += entry.getRealSize();
        if (bytes > maxBytes) {
            throw tooLarge(maxBytes + " bytes");
        }
    }

    private static BuildException tooLarge(String limit) {
        return new BuildException(
                BuildException.Kind.MACHINE,
                "the runtime's image has more than " + limit + "; use a smaller one for functions");
    }

    private static void attributes(Path place, TarArchiveEntry entry) throws IOException {
        if (entry.getLongUserId() != 0 || entry.getLongGroupId() != 0) {
            Files.setAttribute(place, "unix:uid", Math.toIntExact(entry.getLongUserId()), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(place, "unix:gid", Math.toIntExact(entry.getLongGroupId()), LinkOption.NOFOLLOW_LINKS);
        }
        if (!entry.isSymbolicLink()) {
            Files.setAttribute(place, "unix:mode", entry.getMode() & 01777);
            Files.setLastModifiedTime(
                    place, FileTime.from(entry.getLastModifiedTime().toInstant()));
        }
    }
}
