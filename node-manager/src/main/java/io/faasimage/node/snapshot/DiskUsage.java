package io.faasimage.node.snapshot;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Adds up a directory tree. The bytes are the files' sizes in whole blocks: a sparse file counts as if it were full.
 */
final class DiskUsage {
    private static final long BLOCK = 4096;

    private record InodeNumber(
            @Nullable Object device, @Nullable Object number) {}

    private DiskUsage() {}

    /** What {@code directory} and all below it take; entries that vanish meanwhile do not count. */
    static Usage of(Path directory) throws IOException {
        Counter counter = new Counter();
        Files.walkFileTree(directory, counter);
        return new Usage(counter.bytes, counter.inodes);
    }

    private static final class Counter extends SimpleFileVisitor<Path> {
        private final Set<InodeNumber> linked = new HashSet<>();
        private long bytes;
        private long inodes;

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            add(attributes);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!attributes.isRegularFile() || isFirstLink(file)) {
                add(attributes);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        private boolean isFirstLink(Path file) throws IOException {
            Map<String, Object> links;
            try {
                links = Files.readAttributes(file, "unix:nlink,dev,ino", LinkOption.NOFOLLOW_LINKS);
            } catch (NoSuchFileException e) {
                return false;
            }
            if (links.get("nlink") instanceof Integer count && count == 1) {
                return true;
            }
            return linked.add(new InodeNumber(links.get("dev"), links.get("ino")));
        }

        private void add(BasicFileAttributes attributes) {
            boolean hasBlocks = attributes.isRegularFile() || attributes.isDirectory();
            bytes += hasBlocks ? (attributes.size() + BLOCK - 1) / BLOCK * BLOCK : 0;
            inodes++;
        }
    }
}
