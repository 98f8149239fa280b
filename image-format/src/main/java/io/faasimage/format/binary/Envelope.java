package io.faasimage.format.binary;

import io.faasimage.format.FormatException;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * The envelope of all encoded documents: 4 bytes of magic, the version (u16), two zero bytes; and at the end the
 * CRC-32C (u32) of all bytes before it. Every version keeps this, so that damage can be distinguished from age.
 *
 * @param format the kind of document, for errors ("plan")
 * @param magic four ASCII letters
 * @param version the newest version that is read, which is written unless another is requested
 * @param oldest the oldest version that is read
 */
public record Envelope(String format, String magic, int version, int oldest) {
    private static final int HEADER_BYTES = 8;
    private static final int CHECKSUM_BYTES = 4;

    /** Checks the magic. */
    public Envelope {
        if (magic.length() != 4 || oldest < 1 || version < oldest || version > 0xffff) {
            throw new IllegalArgumentException("envelope of " + format);
        }
    }

    /** A writer that has the header of the newest version and room for {@code bodyBytes}. */
    public ByteWriter begin(int bodyBytes) {
        return begin(bodyBytes, version);
    }

    /** A writer that has the header of {@code written}, a version that is read, and room for {@code bodyBytes}. */
    public ByteWriter begin(int bodyBytes, int written) {
        return new ByteWriter(Math.addExact(bodyBytes, HEADER_BYTES + CHECKSUM_BYTES))
                .raw(magic.getBytes(StandardCharsets.US_ASCII))
                .u16(written)
                .u16(0);
    }

    /** The document: the content of {@code writer}, and its checksum. */
    public byte[] seal(ByteWriter writer) {
        return writer.u32(writer.checksum()).toBytes();
    }

    /** A reader of the body of {@code document}, whose magic, version and checksum are right. */
    public ByteReader open(byte[] document) throws FormatException {
        int end = document.length - CHECKSUM_BYTES;
        if (end < HEADER_BYTES) {
            throw FormatException.corrupt("not a " + format + ": only " + document.length + " bytes");
        }
        ByteReader header = new ByteReader(format, document, 0, HEADER_BYTES);
        if (!magic.equals(new String(header.raw(4), StandardCharsets.ISO_8859_1))) {
            throw FormatException.corrupt("not a " + format + ": it does not begin with " + magic);
        }
        if (new ByteReader(format, document, end, document.length).u32() != checksum(document, end)) {
            throw FormatException.corrupt(format + " is damaged: its checksum is wrong; fetch it again");
        }
        checkVersion(format, header.u16(), oldest, version);
        if (header.u16() != 0) {
            throw FormatException.corrupt(format + " is damaged: reserved bytes are not zero");
        }
        return new ByteReader(format, document, HEADER_BYTES, end);
    }

    /** The version of a document that {@link #open} has opened. */
    public int versionOf(byte[] document) throws FormatException {
        return new ByteReader(format, document, magic.length(), HEADER_BYTES).u16();
    }

    /** Fails with the right kind unless {@code found} is between {@code oldest} and {@code newest}. */
    public static void checkVersion(String format, int found, int oldest, int newest) throws FormatException {
        if (found > newest) {
            throw new FormatException(
                    FormatException.Kind.TOO_NEW,
                    format + " has version " + found + ", this program reads up to " + newest + ": upgrade it");
        }
        if (found < oldest) {
            throw new FormatException(
                    FormatException.Kind.TOO_OLD,
                    format + " has version " + found + ", this program reads from " + oldest + ": make it again");
        }
    }

    private static int checksum(byte[] bytes, int end) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, end);
        return (int) crc.getValue();
    }
}
