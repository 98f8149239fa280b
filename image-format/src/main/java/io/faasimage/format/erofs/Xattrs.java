package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.util.Map;
import java.util.SortedMap;

/** The extended attributes of an inode as they lie behind it: the user's own, then those of the content's StubForm. */
final class Xattrs {
    private Xattrs() {}

    /**
     * Size of the attributes' area in bytes, a multiple of 4; 0 when there are none. Refuses attributes that cannot be
     * stored.
     */
    static int size(FilePath path, Inode inode) throws TreeRefusedException {
        long size = 0;
        for (Map.Entry<String, byte[]> xattr : inode.attributes().xattrs().entrySet()) {
            size += checkedEntrySize(path, xattr.getKey(), xattr.getValue());
        }
        if (inode instanceof Inode.RegularFile file && file.content().isPresent()) {
            size += StubForm.xattrBytes();
        }
        if (size > Disk.XATTR_MAX_BYTES - Disk.XATTR_HEADER_BYTES) {
            throw new TreeRefusedException(
                    path, "its extended attributes take " + size + " bytes, the limit is 256 KiB");
        }
        return size == 0 ? 0 : (int) size + Disk.XATTR_HEADER_BYTES;
    }

    /** Writes as many bytes as {@link #size} said: the user's own by name, then those of the content's StubForm. */
    static void write(Inode inode, ImageOutput out) {
        SortedMap<String, byte[]> own = inode.attributes().xattrs();
        Digest content =
                inode instanceof Inode.RegularFile file ? file.content().orElse(null) : null;
        if (own.isEmpty() && (content == null || StubForm.xattrBytes() == 0)) {
            return;
        }
        out.zeros(Disk.XATTR_HEADER_BYTES);
        own.forEach((name, value) -> entry(XattrName.of(name).orElseThrow(), value, out));
        if (content != null) {
            StubForm.writeXattrs(content, out);
        }
    }

    static void entry(XattrName name, byte[] value, ImageOutput out) {
        out.u8(name.suffix().length()).u8(name.index()).u16(value.length);
        out.raw(name.suffix(), 0).raw(value);
        out.padTo(Disk.roundUp(out.position(), Disk.XATTR_ENTRY_BYTES));
    }

    private static int checkedEntrySize(FilePath path, String name, byte[] value) throws TreeRefusedException {
        if (name.startsWith(Disk.OVERLAY_PREFIX)) {
            throw new TreeRefusedException(
                    path,
                    "it has the extended attribute " + name
                            + ", which would let an image's author point overlayfs at other content");
        }
        XattrName split = XattrName.of(name)
                .orElseThrow(() -> new TreeRefusedException(path, "EROFS has no extended attribute " + name));
        if (value.length > 0xffff) {
            throw new TreeRefusedException(
                    path, "its extended attribute " + name + " has " + value.length + " bytes, the limit is 65535");
        }
        return entrySize(split.suffix().length(), value.length);
    }

    static int entrySize(int suffix, int value) {
        return (int) Disk.roundUp(Disk.XATTR_ENTRY_BYTES + suffix + value, Disk.XATTR_ENTRY_BYTES);
    }
}
