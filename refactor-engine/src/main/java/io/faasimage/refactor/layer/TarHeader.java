package io.faasimage.refactor.layer;

import io.faasimage.format.erofs.ErofsWriter;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;

/** The checked content of a tar header; PAX records override its fields. */
final class TarHeader {
    private static final String XATTR = "SCHILY.xattr.";
    private static final BigDecimal MAX_TIME = BigDecimal.valueOf(Long.MAX_VALUE, 9);
    private static final long MAX_ID = 0xffff_ffffL;

    private final TarArchiveEntry entry;
    private final Map<String, String> pax;
    private final LayerUse limits;

    TarHeader(TarArchiveEntry entry, Map<String, String> pax, LayerUse limits) {
        this.entry = entry;
        this.pax = pax;
        this.limits = limits;
    }

    /** The name as it stands in the archive, one char per byte. */
    String rawName() {
        String sparse = pax.get("GNU.sparse.name");
        return sparse != null ? sparse : pax.getOrDefault("path", entry.getName());
    }

    /** The link target as it stands in the archive, one char per byte. */
    String rawLink() {
        return pax.getOrDefault("linkpath", entry.getLinkName());
    }

    /** A name without leading slash, {@code .} and double slashes; {@code ..} is refused. */
    static FilePath clean(String raw) throws RefactorException {
        StringBuilder path = new StringBuilder(raw.length());
        for (String name : raw.split("/", -1)) {
            if (name.isEmpty() || name.equals(".")) {
                continue;
            }
            if (name.equals("..")) {
                throw new RefactorException(Kind.INVALID, "the name leaves the root by '..'");
            }
            path.append(path.isEmpty() ? "" : "/").append(name);
        }
        try {
            return new FilePath(path.toString());
        } catch (IllegalArgumentException e) {
            throw new RefactorException(Kind.INVALID, String.valueOf(e.getMessage()), e);
        }
    }

    /** Mode (0777 for symbolic links, as Linux has no other), owner, time and extended attributes. */
    Attributes attributes() throws RefactorException {
        BigDecimal mtime = mtime();
        BigDecimal seconds = mtime.setScale(0, RoundingMode.FLOOR);
        int nanos = mtime.subtract(seconds).movePointRight(9).intValue();
        long uid = id("uid", entry.getLongUserId());
        long gid = id("gid", entry.getLongGroupId());
        return new Attributes(
                entry.isSymbolicLink() ? 0777 : entry.getMode() & 07777,
                (int) uid,
                (int) gid,
                seconds.longValueExact(),
                nanos,
                xattrs());
    }

    /**
     * The time of modification; the epoch for times that containerd cannot set: before it, or 2^63 ns or more after it.
     */
    private BigDecimal mtime() throws RefactorException {
        BigDecimal written = writtenMtime();
        return written.signum() < 0 || written.compareTo(MAX_TIME) > 0 ? BigDecimal.ZERO : written;
    }

    private BigDecimal writtenMtime() throws RefactorException {
        String text = pax.get("mtime");
        if (text == null) {
            return BigDecimal.valueOf(entry.getLastModifiedTime().toMillis() / 1000);
        }
        if (text.length() > 40 || !text.matches("-?[0-9]+(\\.[0-9]*)?")) {
            throw new RefactorException(Kind.INVALID, "PAX mtime '" + text + "' is not a time");
        }
        return new BigDecimal(text.endsWith(".") ? text + "0" : text);
    }

    private long id(String record, long fromHeader) throws RefactorException {
        String text = pax.get(record);
        long id;
        try {
            id = text == null ? fromHeader : Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new RefactorException(Kind.INVALID, "PAX " + record + " '" + text + "' is not a number", e);
        }
        if (id < 0 || id > MAX_ID) {
            throw new RefactorException(Kind.INVALID, record + " out of range: " + id);
        }
        return id;
    }

    /**
     * The extended attributes that containerd would end up with: it continues without those that the kernel does not
     * know or not allow for this kind of file, and without trusted ones.
     */
    private SortedMap<String, byte[]> xattrs() throws RefactorException {
        SortedMap<String, byte[]> xattrs = new TreeMap<>();
        long bytes = 0;
        for (Map.Entry<String, String> record : pax.entrySet()) {
            if (!record.getKey().startsWith(XATTR)) {
                continue;
            }
            String name = record.getKey().substring(XATTR.length());
            if (name.startsWith("trusted.overlay.")) {
                throw new RefactorException(
                        Kind.INVALID,
                        "the extended attribute " + name + " is refused: it would reach into other images' files");
            }
            if (!isKept(name)) {
                limits.countSkippedXattr();
                continue;
            }
            byte[] value = record.getValue().getBytes(StandardCharsets.ISO_8859_1);
            bytes += name.length() + value.length;
            if (bytes > limits.maxXattrBytes()) {
                throw new RefactorException(
                        Kind.LIMIT, "extended attributes of more than " + limits.maxXattrBytes() + " bytes");
            }
            xattrs.put(name, value);
        }
        limits.countMetadata(bytes);
        return xattrs;
    }

    private boolean isKept(String name) {
        if (!ErofsWriter.storesXattr(name) || name.startsWith("trusted.")) {
            return false;
        }
        return switch (entry.getLinkFlag()) {
            case '2' -> !name.startsWith("user.") && !name.startsWith("system.");
            case '3', '4', '6' -> !name.startsWith("user.");
            default -> true;
        };
    }
}
