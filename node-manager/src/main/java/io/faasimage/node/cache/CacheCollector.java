package io.faasimage.node.cache;

import io.faasimage.format.cache.CachePlace;
import io.faasimage.format.cache.LearntCaches;
import io.faasimage.format.cache.LearntFile;
import io.faasimage.format.id.ChainId;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.linux.ExtendedAttributes;
import io.faasimage.linux.LinuxException;
import io.faasimage.linux.OpenDirectory;
import io.faasimage.linux.TreeWalk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A collector of the files that a container has written into caches of language runtimes, from the upper directory of
 * its overlay. The container is running and not trusted: no symbolic link is followed, each file is named once and
 * opened as the inode that was looked at, so that none blocks; sizes, their number and the walk are bounded. For one
 * call.
 *
 * <p>A file counts if its inode was last changed ({@code ctime}, which no process can set) before a given time. The
 * kernel's coarse clock may be a tick behind, which {@link #TICK} covers.
 */
public final class CacheCollector {
    private static final int MAX_SEEN = 500_000;
    private static final int MAX_DEPTH = 64;
    private static final Duration TICK = Duration.ofMillis(10);
    private static final String METACOPY = "trusted.overlay.metacopy";
    private static final int PERMISSIONS = 0777;

    private final Instant until;
    private final List<LearntFile> files = new ArrayList<>();
    private long bytes;
    private int seen;

    private CacheCollector(Instant until) {
        this.until = until.minus(TICK);
    }

    /**
     * What was written before {@code until}.
     *
     * @param upper the overlay's upper directory
     * @param chain of the image below it
     * @return empty when nothing was written into a cache
     * @throws IOException when the directory cannot be read, or there is more than a limit allows
     */
    public static Optional<LearntCaches> collect(Path upper, ChainId chain, Instant until) throws IOException {
        CacheCollector collector = new CacheCollector(until);
        TreeWalk.walk(upper, collector.new Visitor());
        collector.files.sort(Comparator.comparing(LearntFile::path));
        return collector.files.isEmpty() ? Optional.empty() : Optional.of(new LearntCaches(chain, collector.files));
    }

    /** The files of the walk; directories that cannot be opened are left out. */
    private final class Visitor implements TreeWalk.Visitor {
        @Override
        public void file(TreeWalk.Entry file) throws IOException {
            count();
            if (file.status().isRegular() && file.status().links() == 1) {
                Optional<FilePath> path =
                        path(file).filter(p -> CachePlace.of(p).isPresent());
                if (path.isPresent()) {
                    add(path.get(), file);
                }
            }
        }

        @Override
        public void enter(TreeWalk.Entry directory) throws IOException {
            count();
        }

        @Override
        public void failed(TreeWalk.Entry directory, LinuxException failure) {
            // It vanished, or the container mounted something over it: nothing in it can be learnt.
        }
    }

    private void count() throws IOException {
        if (++seen > MAX_SEEN) {
            throw new IOException("it wrote more than " + MAX_SEEN + " files");
        }
    }

    private static Optional<FilePath> path(TreeWalk.Entry file) {
        if (file.parents().size() > MAX_DEPTH) {
            return Optional.empty();
        }
        StringBuilder path = new StringBuilder();
        file.parents().forEach(parent -> path.append(text(parent)).append('/'));
        path.append(text(file.name()));
        return path.length() > FilePath.MAX_PATH_BYTES ? Optional.empty() : Optional.of(new FilePath(path.toString()));
    }

    private static String text(TreeWalk.FileName name) {
        return new String(name.bytes(), StandardCharsets.ISO_8859_1);
    }

    private void add(FilePath path, TreeWalk.Entry file) throws IOException {
        OpenDirectory directory = file.directory();
        try {
            directory.use(file.name().bytes(), inode -> read(path, inode).ifPresent(files::add));
        } catch (NoSuchFileException | LinuxException e) {
            // Deleted meanwhile.
            return;
        }
        if (files.size() > LearntCaches.MAX_FILES || bytes > LearntCaches.MAX_BYTES) {
            throw new IOException("it wrote more into caches than " + LearntCaches.MAX_FILES + " files or "
                    + LearntCaches.MAX_BYTES + " bytes; compile in the image's build, or end it: faasimage functions"
                    + " set NAME --no-learn-caches");
        }
    }

    /** The file behind a link in /proc, which leads to one inode whatever becomes of its name. */
    private Optional<LearntFile> read(FilePath path, Path inode) throws IOException {
        Map<String, Object> before = Files.readAttributes(inode, "unix:*");
        if (!Boolean.TRUE.equals(before.get("isRegularFile")) || isLate(before) || isStub(inode)) {
            return Optional.empty();
        }
        byte[] content;
        try (InputStream in = Files.newInputStream(inode)) {
            content = in.readNBytes(LearntCaches.MAX_FILE_BYTES + 1);
        }
        boolean changed = isLate(Files.readAttributes(inode, "unix:*"));
        if (changed || content.length == 0 || content.length > LearntCaches.MAX_FILE_BYTES) {
            return Optional.empty();
        }
        bytes += content.length;
        return Optional.of(new LearntFile(path, attributes(before), content));
    }

    private boolean isLate(Map<String, Object> status) {
        return !value(status, "ctime", FileTime.class).toInstant().isBefore(until);
    }

    private static <T> T value(Map<String, Object> status, String name, Class<T> type) {
        return type.cast(Objects.requireNonNull(status.get(name)));
    }

    /** Of a file of the image that only got other attributes, the upper directory has no content. */
    private static boolean isStub(Path inode) throws LinuxException {
        byte[] path = inode.toString().getBytes(StandardCharsets.US_ASCII);
        return ExtendedAttributes.get(path, METACOPY).isPresent();
    }

    private static Attributes attributes(Map<String, Object> status) {
        Instant modified = value(status, "lastModifiedTime", FileTime.class).toInstant();
        return Attributes.of(
                value(status, "mode", Integer.class) & PERMISSIONS,
                value(status, "uid", Integer.class),
                value(status, "gid", Integer.class),
                modified.getEpochSecond(),
                modified.getNano());
    }
}
