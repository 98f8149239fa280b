package io.faasimage.format.erofs;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.Inode;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A reader of inodes other than a directory's entries. May throw {@link IllegalArgumentException} for values out of
 * range.
 */
final class InodeReader {
    private static final int MAX_LINK_BYTES = 4095;

    private final ImageInput image;

    InodeReader(ImageInput image) {
        this.image = image;
    }

    InodeHead head(long nid) throws FormatException {
        long at = image.inodeOffset(nid);
        int format = image.u16(at);
        int dataLayout = format >>> 1;
        if ((format & 1) != Disk.VERSION_EXTENDED) {
            throw image.bad("inode " + nid + " is not of the extended form");
        }
        if (dataLayout != Disk.FLAT_PLAIN && dataLayout != Disk.FLAT_INLINE && dataLayout != Disk.CHUNK_BASED) {
            throw image.bad("inode " + nid + " has unknown layout " + dataLayout);
        }
        int xattrCount = image.u16(at + 2);
        int xattrBytes = xattrCount == 0 ? 0 : Disk.XATTR_HEADER_BYTES + 4 * (xattrCount - 1);
        image.check(at, Disk.INODE_BYTES + (long) xattrBytes);
        long size = image.i64(at + 8);
        if (size < 0) {
            throw image.bad("inode " + nid + " has a negative size");
        }
        return new InodeHead(nid, at, dataLayout, xattrBytes, image.u16(at + 4), size, image.i32(at + 16));
    }

    /** The attributes of a directory; overlay attributes are not expected on it. */
    Attributes attributes(InodeHead head) throws FormatException {
        return attributes(head, xattrs(head));
    }

    /** The inode of a file that is not a directory. */
    Inode inode(InodeHead head) throws FormatException {
        SortedMap<String, byte[]> xattrs = xattrs(head);
        return switch (head.type()) {
            case Disk.S_IFREG -> regularFile(head, xattrs);
            case Disk.S_IFLNK -> new Inode.Symlink(attributes(head, xattrs), target(head));
            case Disk.S_IFCHR -> special(head, xattrs, Inode.Special.Kind.CHARACTER_DEVICE);
            case Disk.S_IFBLK -> special(head, xattrs, Inode.Special.Kind.BLOCK_DEVICE);
            case Disk.S_IFIFO -> special(head, xattrs, Inode.Special.Kind.FIFO);
            case Disk.S_IFSOCK -> special(head, xattrs, Inode.Special.Kind.SOCKET);
            default -> throw image.bad("inode " + head.nid() + " is of no known type");
        };
    }

    private Attributes attributes(InodeHead head, SortedMap<String, byte[]> xattrs) throws FormatException {
        for (String name : xattrs.keySet()) {
            if (name.startsWith(Disk.OVERLAY_PREFIX)) {
                throw image.bad("inode " + head.nid() + " has " + name + " and is not a stub");
            }
        }
        long at = head.offset();
        return new Attributes(
                head.mode() & 07777,
                image.i32(at + 24),
                image.i32(at + 28),
                image.i64(at + 32),
                image.i32(at + 40),
                xattrs);
    }

    private Inode regularFile(InodeHead head, SortedMap<String, byte[]> xattrs) throws FormatException {
        if (head.size() == 0) {
            return Inode.RegularFile.empty(attributes(head, xattrs));
        }
        byte[] metacopy = xattrs.remove(Disk.OVERLAY_METACOPY);
        byte[] redirect = xattrs.remove(Disk.OVERLAY_REDIRECT);
        boolean oneHole = head.dataLayout() == Disk.CHUNK_BASED
                && (head.detail() & ~Disk.CHUNK_BITS_MASK) == 0
                && ((head.size() - 1) >>> (Disk.BLOCK_BITS + head.detail())) == 0
                && image.i32(head.inlineOffset()) == Disk.NULL_ADDRESS;
        if (metacopy == null || metacopy.length != 0 || redirect == null || !oneHole) {
            throw image.bad("inode " + head.nid() + " is a file with content and not a stub");
        }
        return Inode.RegularFile.of(attributes(head, xattrs), head.size(), digest(head, redirect));
    }

    private Digest digest(InodeHead head, byte[] redirect) throws FormatException {
        String text = new String(redirect, StandardCharsets.ISO_8859_1);
        if (redirect.length != Disk.REDIRECT_BYTES || text.charAt(0) != '/' || text.charAt(3) != '/') {
            throw image.bad("inode " + head.nid() + " redirects to something that is no object");
        }
        return new Digest(text.substring(1, 3) + text.substring(4));
    }

    private String target(InodeHead head) throws FormatException {
        if (head.size() > MAX_LINK_BYTES || head.dataLayout() == Disk.CHUNK_BASED) {
            throw image.bad("inode " + head.nid() + " is a link with a target of " + head.size() + " bytes");
        }
        image.charge(head.size());
        boolean inline = head.dataLayout() == Disk.FLAT_INLINE;
        return image.chars(inline ? head.inlineOffset() : head.blockOffset(), (int) head.size());
    }

    private Inode special(InodeHead head, SortedMap<String, byte[]> xattrs, Inode.Special.Kind kind)
            throws FormatException {
        int device = head.detail();
        return new Inode.Special(attributes(head, xattrs), kind, Disk.deviceMajor(device), Disk.deviceMinor(device));
    }

    private SortedMap<String, byte[]> xattrs(InodeHead head) throws FormatException {
        SortedMap<String, byte[]> xattrs = new TreeMap<>();
        image.charge(Disk.INODE_BYTES + (long) head.xattrBytes());
        if (head.xattrBytes() == 0) {
            return xattrs;
        }
        long at = head.offset() + Disk.INODE_BYTES;
        if (image.u8(at + 4) != 0) {
            throw image.bad("inode " + head.nid() + " has shared extended attributes");
        }
        at += Disk.XATTR_HEADER_BYTES;
        while (at < head.inlineOffset()) {
            int suffix = image.u8(at);
            int index = image.u8(at + 1);
            int value = image.u16(at + 2);
            long next = Disk.roundUp(at + Disk.XATTR_ENTRY_BYTES + suffix + value, Disk.XATTR_ENTRY_BYTES);
            if (next > head.inlineOffset()) {
                throw image.bad("an extended attribute of inode " + head.nid() + " is too long");
            }
            String name = new XattrName(index, image.chars(at + Disk.XATTR_ENTRY_BYTES, suffix))
                    .full()
                    .orElseThrow(() -> image.bad("inode " + head.nid() + " has an attribute with an impossible name"));
            if (xattrs.put(name, image.raw(at + Disk.XATTR_ENTRY_BYTES + suffix, value)) != null) {
                throw image.bad("inode " + head.nid() + " has " + name + " twice");
            }
            at = next;
        }
        return xattrs;
    }
}
