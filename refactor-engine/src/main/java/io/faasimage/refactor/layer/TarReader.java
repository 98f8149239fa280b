package io.faasimage.refactor.layer;

import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import io.faasimage.layer.LayerException;
import io.faasimage.layer.PaxTap;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageBudget;
import io.faasimage.refactor.spool.Spool;
import io.faasimage.refactor.spool.SpoolWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/** A reader of the tar of one layer. For one thread. */
final class TarReader {
    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";
    private static final String WHITEOUT_META = ".wh..wh.";

    private final LayerUse limits;
    private final SpoolWriter spool;
    private final ToIntFunction<FilePath> levels;
    private final List<LayerEntry> entries = new ArrayList<>();
    private String last = "the start";

    /** Puts contents into {@code spool}, compressed with the zstd level that {@code levels} gives their path. */
    TarReader(LayerUse limits, SpoolWriter spool, ToIntFunction<FilePath> levels) {
        this.limits = limits;
        this.spool = spool;
        this.levels = levels;
    }

    /** All changes of the layer, in order. */
    List<LayerEntry> read(InputStream in) throws IOException {
        PaxTap tap = new PaxTap(in);
        try {
            // Not closed: the caller reads the padding behind the archive, too.
            TarArchiveInputStream tar = new TarArchiveInputStream(tap, StandardCharsets.ISO_8859_1.name());
            for (TarArchiveEntry entry = next(tar); entry != null; entry = next(tar)) {
                limits.countEntry();
                if (tap.type() != (char) (entry.getLinkFlag() & 0xff)) {
                    throw new RefactorException(Kind.INVALID, "headers that contradict each other");
                }
                add(new TarHeader(entry, tap.records(), limits), entry, tar);
            }
            return entries;
        } catch (RefactorException e) {
            throw e.isTransient() || e.kind() == Kind.DIGEST_MISMATCH ? e : at(e.kind(), e);
        } catch (LayerException e) {
            throw at(RefactorException.of(e).kind(), e);
        } catch (InterruptedIOException e) {
            throw at(Kind.CANCELLED, e);
        } catch (IOException e) {
            throw at(Kind.INVALID, e);
        } catch (IllegalArgumentException e) {
            throw at(Kind.INVALID, e);
        }
    }

    private static @Nullable TarArchiveEntry next(TarArchiveInputStream tar) throws IOException {
        return tar.getNextEntry();
    }

    private RefactorException at(Kind kind, Exception e) {
        return new RefactorException(kind, "at " + last + ": " + e.getMessage(), e);
    }

    private void add(TarHeader header, TarArchiveEntry entry, TarArchiveInputStream tar) throws IOException {
        String raw = header.rawName();
        last = "entry '" + new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8) + "'";
        if (entry.isGlobalPaxHeader()) {
            return;
        }
        FilePath path = TarHeader.clean(raw);
        limits.countMetadata((long) raw.length() + header.rawLink().length());
        if (path.isRoot()) {
            return;
        }
        if (path.name().startsWith(WHITEOUT)) {
            whiteout(path);
            return;
        }
        Attributes attributes = header.attributes();
        if (entry.isLink()) {
            entries.add(new LayerEntry.HardLink(path, TarHeader.clean(header.rawLink()), attributes));
            return;
        }
        switch (entry.getLinkFlag()) {
            case '5' -> put(path, new Inode.Directory(attributes));
            case '2' -> put(path, new Inode.Symlink(attributes, header.rawLink()));
            case '3' -> character(path, entry, attributes);
            case '4' -> put(path, special(entry, attributes, Inode.Special.Kind.BLOCK_DEVICE));
            case '6' -> put(path, new Inode.Special(attributes, Inode.Special.Kind.FIFO, 0, 0));
            case 0, '0', '7', 'S' -> {
                if (entry.isDirectory()) {
                    put(path, new Inode.Directory(attributes));
                } else {
                    put(path, file(path, entry, tar, attributes));
                }
            }
            default ->
                throw new RefactorException(
                        Kind.UNSUPPORTED, "the entry type '" + (char) entry.getLinkFlag() + "' is not known");
        }
    }

    private void put(FilePath path, Inode inode) {
        entries.add(new LayerEntry.Put(path, inode));
    }

    private void whiteout(FilePath path) throws RefactorException {
        if (path.name().equals(OPAQUE)) {
            entries.add(new LayerEntry.Opaque(path.parent()));
            return;
        }
        if (path.name().startsWith(WHITEOUT_META)) {
            return;
        }
        String hidden = path.name().substring(WHITEOUT.length());
        if (hidden.isEmpty() || hidden.equals(".") || hidden.equals("..")) {
            throw new RefactorException(Kind.INVALID, "a whiteout of nothing");
        }
        entries.add(new LayerEntry.Whiteout(path.parent().child(hidden)));
    }

    private void character(FilePath path, TarArchiveEntry entry, Attributes attributes) {
        if (entry.getDevMajor() == 0 && entry.getDevMinor() == 0) {
            // This is how overlayfs itself writes a whiteout, and how it would understand this device.
            entries.add(new LayerEntry.Whiteout(path));
        } else {
            put(path, special(entry, attributes, Inode.Special.Kind.CHARACTER_DEVICE));
        }
    }

    private static Inode special(TarArchiveEntry entry, Attributes attributes, Inode.Special.Kind kind) {
        return new Inode.Special(attributes, kind, entry.getDevMajor(), entry.getDevMinor());
    }

    private Inode file(FilePath path, TarArchiveEntry entry, TarArchiveInputStream tar, Attributes attributes)
            throws IOException {
        long expected = entry.isSparse() ? entry.getRealSize() : entry.getSize();
        if (expected > limits.maxFileBytes()) {
            throw new RefactorException(
                    Kind.LIMIT,
                    "a file of " + expected + " bytes, the limit is " + limits.maxFileBytes()
                            + ImageBudget.raise("file"));
        }
        if (entry.isSparse()) {
            limits.countBytes(Math.max(0, expected));
        }
        if (expected < 0) {
            throw new RefactorException(Kind.INVALID, "a file of " + expected + " bytes");
        }
        Spool.Stored stored = spool.add(tar, expected, levels.applyAsInt(path));
        if (stored.size() != expected) {
            throw new RefactorException(
                    Kind.INVALID, "the content ends after " + stored.size() + " of " + expected + " bytes");
        }
        return expected == 0
                ? Inode.RegularFile.empty(attributes)
                : Inode.RegularFile.of(attributes, expected, stored.digest());
    }
}
