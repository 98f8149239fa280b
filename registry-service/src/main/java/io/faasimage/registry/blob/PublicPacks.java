package io.faasimage.registry.blob;

import io.faasimage.refactor.PackFile;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The packs of public layers that several tenants have each made and stored. When all bytes of two are the same, one
 * becomes a second name of the other's file (a hard link), so that they take the space of one. Nothing else changes:
 * each tenant has a name in its own folder, and the file goes with the last name. What a job does and how long it takes
 * does not depend on it, as it happens afterwards (decision 50). Thread-safe.
 */
final class PublicPacks {
    private static final Logger LOG = LoggerFactory.getLogger(PublicPacks.class);

    private final Path data;

    /** The packs of all tenants below a data directory. */
    PublicPacks(Path data) {
        this.data = data;
    }

    /** The blobs of a tenant other than the default one. */
    Path tenant(String name) {
        return data.resolve("tenants").resolve(name);
    }

    /** Makes names of equal files in {@code folder} names of one file. */
    void link(Path folder, Replacement replacement) throws IOException {
        List<Path> others = folders();
        others.remove(folder);
        try (DirectoryStream<Path> packs = Files.newDirectoryStream(folder, PackFile.PUBLIC + "*")) {
            for (Path pack : packs) {
                link(pack, others, replacement);
            }
        }
    }

    private List<Path> folders() throws IOException {
        List<Path> folders = new ArrayList<>();
        folders.add(data.resolve(BlobKind.PACK.folder()));
        if (Files.isDirectory(data.resolve("tenants"))) {
            try (DirectoryStream<Path> tenants = Files.newDirectoryStream(data.resolve("tenants"))) {
                tenants.forEach(tenant -> folders.add(tenant.resolve(BlobKind.PACK.folder())));
            }
        }
        return folders;
    }

    private static void link(Path pack, List<Path> others, Replacement replacement) {
        for (Path other : others) {
            Path twin = other.resolve(String.valueOf(pack.getFileName()));
            try {
                if (Files.isSameFile(pack, twin)
                        || (Files.size(pack) == Files.size(twin)
                                && Files.mismatch(pack, twin) < 0
                                && replacement.replace(pack, twin))) {
                    return;
                }
            } catch (NoSuchFileException e) {
                // That tenant has none, or one of the two was removed meanwhile.
            } catch (IOException e) {
                LOG.warn("{} stays a file of its own beside {}: {}", pack, twin, e.toString());
            }
        }
    }

    /** What puts a file in the place of another one. */
    @FunctionalInterface
    interface Replacement {
        /** Makes {@code pack} a name of the file {@code twin}; false when {@code pack} is there no more. */
        boolean replace(Path pack, Path twin) throws IOException;
    }
}
