package io.faasimage.builder.archive;

import io.faasimage.builder.fault.BuildException;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.stream.Decompressed;
import io.faasimage.refactor.stream.PaxTap;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/** A function's directory as a zip or tar archive (plain, gzip or zstd), recognised by its first bytes. */
public final class FunctionArchive {
    private static final int MAX_LINK_CHARS = 4096;

    /** Of a zip's directory, for each entry that an archive may have: the header, its name and attributes. */
    private static final int DIRECTORY_BYTES = 256;

    private FunctionArchive() {}

    /**
     * Unpacks {@code archive} into the empty directory {@code into}. What was unpacked before a failure stays there.
     *
     * @throws BuildException when it is no archive, is damaged, leads out of the directory or is too large
     */
    public static void unpack(Path archive, Path into, ArchiveLimits limits) throws IOException {
        UnpackedTree tree = new UnpackedTree(into, limits);
        try {
            if (isZip(archive)) {
                unpackZip(archive, tree, limits);
            } else {
                unpackTar(archive, tree);
            }
        } catch (BuildException e) {
            throw e;
        } catch (RefactorException e) {
            throw BuildException.badRequest("the archive cannot be read: " + e.getMessage());
        } catch (IOException | IllegalArgumentException e) {
            if (Files.getFileStore(into).getUsableSpace() == 0) {
                throw new BuildException(
                        BuildException.Kind.MACHINE,
                        "the service's disk is full; free some space, then build again",
                        e);
            }
            throw new BuildException(
                    BuildException.Kind.BAD_REQUEST,
                    "the archive cannot be read (" + e.getMessage() + "); send a zip or a tar, plain, gzip or zstd",
                    e);
        }
    }

    private static boolean isZip(Path archive) throws IOException {
        try (InputStream in = Files.newInputStream(archive)) {
            byte[] magic = in.readNBytes(4);
            return magic.length == 4 && magic[0] == 'P' && magic[1] == 'K' && (magic[2] == 3 || magic[2] == 5);
        }
    }

    private static void unpackZip(Path archive, UnpackedTree tree, ArchiveLimits limits) throws IOException {
        try (BoundedChannel channel = BoundedChannel.open(archive, DIRECTORY_BYTES * (limits.entries() + 1000L));
                ZipFile zip = open(channel)) {
            for (Enumeration<ZipArchiveEntry> all = zip.getEntriesInPhysicalOrder(); all.hasMoreElements(); ) {
                ZipArchiveEntry entry = all.nextElement();
                EntryName name = EntryName.of(entry.getName());
                if (entry.getMethod() != ZipEntry.STORED && entry.getMethod() != ZipEntry.DEFLATED) {
                    throw EntryName.refused(entry.getName(), "is compressed otherwise than by deflate");
                }
                if (entry.isDirectory()) {
                    tree.directory(name);
                } else if (entry.isUnixSymlink()) {
                    try (InputStream target = zip.getInputStream(entry)) {
                        tree.symbolicLink(name, new String(target.readNBytes(MAX_LINK_CHARS), StandardCharsets.UTF_8));
                    }
                } else {
                    try (InputStream content = zip.getInputStream(entry)) {
                        tree.file(name, content, (entry.getUnixMode() & 0111) != 0);
                    }
                }
            }
        }
    }

    private static ZipFile open(BoundedChannel channel) throws IOException {
        try {
            ZipFile zip = ZipFile.builder()
                    .setSeekableByteChannel(channel)
                    .setIgnoreLocalFileHeader(true)
                    .get();
            channel.unbound();
            return zip;
        } catch (IOException e) {
            throw e.getCause() instanceof BuildException refused ? refused : e;
        }
    }

    private static void unpackTar(Path archive, UnpackedTree tree) throws IOException {
        try (InputStream in = Files.newInputStream(archive);
                Decompressed plain = Decompressed.of(in, "the archive");
                TarArchiveInputStream tar =
                        new TarArchiveInputStream(new PaxTap(plain), StandardCharsets.UTF_8.name())) {
            boolean any = false;
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                any = true;
                add(tree, entry, tar);
            }
            if (!any) {
                throw BuildException.badRequest("the archive has no entries; send a zip or a tar, plain, gzip or zstd");
            }
        }
    }

    private static void add(UnpackedTree tree, TarArchiveEntry entry, TarArchiveInputStream tar) throws IOException {
        EntryName name = EntryName.of(entry.getName());
        if (entry.isDirectory()) {
            tree.directory(name);
        } else if (entry.isSymbolicLink()) {
            tree.symbolicLink(name, entry.getLinkName());
        } else if (entry.isLink()) {
            tree.hardLink(name, EntryName.of(entry.getLinkName()));
        } else if (isOrdinary(entry)) {
            tree.file(name, tar, (entry.getMode() & 0111) != 0);
        } else {
            throw EntryName.refused(
                    entry.getName(),
                    "is a device, a pipe or a sparse file; a function has files, directories and links");
        }
    }

    /** By its flag: the entry's own {@code isFile} takes devices for files. */
    private static boolean isOrdinary(TarArchiveEntry entry) {
        return (entry.getLinkFlag() == TarConstants.LF_NORMAL || entry.getLinkFlag() == TarConstants.LF_OLDNORM)
                && !entry.isSparse();
    }
}
