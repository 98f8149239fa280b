package io.faasimage.builder.layer;

import io.faasimage.builder.fault.BuildException;
import io.faasimage.format.id.Digest;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * A writer of one layer, a gzip-compressed tar. Its bytes depend on names, contents and whether files may be executed,
 * and on nothing else: entries are sorted, everything belongs to root, is as old as {@link #TIME} and may be read by
 * all. Not thread-safe.
 */
public final class LayerWriter implements AutoCloseable {
    /** Seconds since 1970 of every entry: the beginning of 2026. */
    public static final long TIME = 1_767_225_600L;

    private static final int BUFFER = 64 << 10;

    private final Path blob;
    private final MessageDigest blobDigest = Digest.newSha256();
    private final MessageDigest tarDigest = Digest.newSha256();
    private final TarArchiveOutputStream tar;
    private final Set<String> directories = new HashSet<>();
    private int entries;

    /** A layer that is written to the file {@code blob}. */
    public LayerWriter(Path blob) throws IOException {
        this.blob = blob;
        OutputStream file = new DigestOutputStream(Files.newOutputStream(blob), blobDigest);
        OutputStream gzip = new GZIPOutputStream(new BufferedOutputStream(file, BUFFER), BUFFER);
        tar = new TarArchiveOutputStream(
                new DigestOutputStream(new BufferedOutputStream(gzip, BUFFER), tarDigest),
                StandardCharsets.UTF_8.name());
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        tar.setAddPaxHeadersForNonAsciiNames(true);
    }

    /** Adds a file with this text at an absolute path of the image. */
    public LayerWriter text(String path, String text) throws IOException {
        parents(path);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        TarArchiveEntry entry = entry(path.substring(1), 0644);
        entry.setSize(bytes.length);
        put(entry);
        tar.write(bytes);
        tar.closeArchiveEntry();
        return this;
    }

    /**
     * Adds a file, or all that is below a directory, as an absolute path of the image.
     *
     * @param without trees below {@code from} that are left out
     */
    public LayerWriter tree(String path, Path from, List<Path> without) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(from)) {
            // By the names' characters, so that the order is the same on every machine.
            all = walk.filter(file -> without.stream().noneMatch(file::startsWith))
                    .sorted((a, b) -> a.toString().compareTo(b.toString()))
                    .toList();
        } catch (UncheckedIOException e) {
            throw new BuildException(
                    BuildException.Kind.INSTALL,
                    "the files below " + path + " cannot be read; is a path longer than Linux allows? "
                            + e.getMessage(),
                    e);
        }
        if (Files.isDirectory(from, LinkOption.NOFOLLOW_LINKS) && all.size() == 1) {
            return this;
        }
        parents(path);
        for (Path file : all) {
            String relative = from.relativize(file).toString();
            add(relative.isEmpty() ? path.substring(1) : path.substring(1) + "/" + relative, file);
        }
        return this;
    }

    private void parents(String path) throws IOException {
        // The first component (/home, /opt, /usr) is the runtime image's own.
        for (int slash = path.indexOf('/', path.indexOf('/', 1) + 1); slash > 0; slash = path.indexOf('/', slash + 1)) {
            directory(path.substring(1, slash));
        }
    }

    private void directory(String name) throws IOException {
        if (directories.add(name)) {
            put(entry(name + "/", 0755));
            tar.closeArchiveEntry();
        }
    }

    private void add(String name, Path file) throws IOException {
        if (name.indexOf('\uFFFD') >= 0) {
            throw new BuildException(
                    BuildException.Kind.MACHINE,
                    "the file name '" + name + "' is not UTF-8, or the service does not run with LC_ALL=C.UTF-8");
        }
        if (Files.isSymbolicLink(file)) {
            TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
            entry.setLinkName(Files.readSymbolicLink(file).toString());
            entry.setMode(0777);
            put(entry);
            tar.closeArchiveEntry();
        } else if (Files.isDirectory(file)) {
            directory(name);
        } else if (Files.isRegularFile(file)) {
            TarArchiveEntry entry = entry(name, isExecutable(file) ? 0755 : 0644);
            entry.setSize(Files.size(file));
            put(entry);
            Files.copy(file, tar);
            tar.closeArchiveEntry();
        }
        // Sockets and pipes that an installation leaves are nothing that a function could use.
    }

    private static boolean isExecutable(Path file) throws IOException {
        return ((int) Files.getAttribute(file, "unix:mode") & 0111) != 0;
    }

    private static TarArchiveEntry entry(String name, int mode) {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setMode(mode);
        return entry;
    }

    private void put(TarArchiveEntry entry) throws IOException {
        entry.setModTime(TIME * 1000);
        entry.setIds(0, 0);
        entry.setNames("", "");
        tar.putArchiveEntry(entry);
        entries++;
    }

    /** Ends the layer. */
    public LayerFile finish() throws IOException {
        tar.close();
        return new LayerFile(
                blob,
                Digest.ofBytes(blobDigest.digest()),
                Files.size(blob),
                Digest.ofBytes(tarDigest.digest()),
                entries);
    }

    /** Gives the file up when the layer was not ended. */
    @Override
    public void close() throws IOException {
        if (!tar.isClosed()) {
            tar.close();
        }
    }
}
