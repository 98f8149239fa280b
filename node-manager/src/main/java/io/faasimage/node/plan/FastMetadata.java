package io.faasimage.node.plan;

import io.faasimage.format.file.AtomicFile;
import io.faasimage.node.event.Events;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Copies of metadata images in the fast tier, made when they are mounted first: every start reads much of one. The
 * oldest go when there are too many; one that is mounted stays with its mount. Guarded by its own monitor.
 */
final class FastMetadata {
    private final Path directory;
    private final long mostBytes;
    private final Events events;

    private record Copy(Path file, long bytes, long written) {}

    /**
     * Copies below a directory of the fast tier; those of an earlier boot are removed, as they may be damaged.
     *
     * @param mostBytes all together
     */
    FastMetadata(Path directory, long mostBytes, boolean clean, Events events) throws IOException {
        this.directory = directory;
        this.mostBytes = mostBytes;
        this.events = events;
        Files.createDirectories(directory);
        AtomicFile.sweep(directory);
        for (Copy copy : clean ? copies() : List.<Copy>of()) {
            Files.delete(copy.file());
        }
    }

    /** The copy of {@code image}; the image itself when there is no room, or no fast tier any more. */
    synchronized Path of(Path image) throws IOException {
        Path copy = directory.resolve(String.valueOf(image.getFileName()));
        if (Files.exists(copy)) {
            return copy;
        }
        try {
            if (Files.isDirectory(directory) && makeRoom(Files.size(image))) {
                AtomicFile.publish(copy, out -> Files.copy(image, out));
                return copy;
            }
        } catch (IOException e) {
            events.fallback("storage", "a metadata image is not copied to the fast tier: " + Events.reason(e));
        }
        return image;
    }

    private boolean makeRoom(long bytes) throws IOException {
        List<Copy> copies = copies();
        long used = copies.stream().mapToLong(Copy::bytes).sum();
        for (Copy oldest : copies) {
            if (used + bytes <= mostBytes) {
                break;
            }
            Files.delete(oldest.file());
            used -= oldest.bytes();
        }
        return used + bytes <= mostBytes;
    }

    /** The oldest first. */
    private List<Copy> copies() throws IOException {
        List<Copy> copies = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                copies.add(new Copy(
                        file, Files.size(file), Files.getLastModifiedTime(file).toMillis()));
            }
        }
        copies.sort(Comparator.comparingLong(Copy::written));
        return copies;
    }

    /** The image was deleted. */
    synchronized void remove(Path image) throws IOException {
        Files.deleteIfExists(directory.resolve(String.valueOf(image.getFileName())));
    }
}
