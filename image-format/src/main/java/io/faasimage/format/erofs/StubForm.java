package io.faasimage.format.erofs;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;

/** The stubs of a metadata image: one chunk without an address, and the attributes by which overlayfs finds content. */
final class StubForm {
    private static final byte[] EMPTY = {};
    private static final XattrName METACOPY =
            XattrName.of(Disk.OVERLAY_METACOPY).orElseThrow();
    private static final XattrName REDIRECT =
            XattrName.of(Disk.OVERLAY_REDIRECT).orElseThrow();

    private StubForm() {}

    /** Size of the extended attributes that a file with content gets beside its own. */
    static int xattrBytes() {
        return Xattrs.entrySize(METACOPY.suffix().length(), 0)
                + Xattrs.entrySize(REDIRECT.suffix().length(), Disk.REDIRECT_BYTES);
    }

    /** Writes as many bytes of extended attributes as {@link #xattrBytes} says. */
    static void writeXattrs(Digest content, ImageOutput out) {
        Xattrs.entry(METACOPY, EMPTY, out);
        Xattrs.entry(REDIRECT, Disk.redirect(content).getBytes(StandardCharsets.US_ASCII), out);
    }

    /** Sets the form of a stub: one chunk without an address, so that it costs four bytes however large the file is. */
    static void measure(Node node) throws TreeRefusedException {
        int bits = Math.max(0, 64 - Long.numberOfLeadingZeros(node.size - 1) - Disk.BLOCK_BITS);
        if (bits > Disk.CHUNK_BITS_MASK) {
            throw new TreeRefusedException(node.path, "it has " + node.size + " bytes, the limit is 8 TiB");
        }
        node.contentDetail = bits;
        node.dataLayout = Disk.CHUNK_BASED;
        node.inlineBytes = Disk.CHUNK_ENTRY_BYTES;
    }
}
