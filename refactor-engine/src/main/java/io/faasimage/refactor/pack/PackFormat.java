package io.faasimage.refactor.pack;

import io.faasimage.format.FormatException;
import io.faasimage.format.binary.ByteReader;
import io.faasimage.format.binary.ByteWriter;
import io.faasimage.format.binary.Envelope;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/** The bytes of a pack beside its objects: header, index and trailer (docs/formats/pack.md). */
final class PackFormat {
    static final int HEADER_BYTES = 8;
    static final int TRAILER_BYTES = 16;
    static final int MAX_INDEX_BYTES = 256 << 20;

    private static final int VERSION = 2;
    private static final String MAGIC = "FIPK";
    private static final String TRAILER_MAGIC = "KPIF";
    private static final Envelope INDEX = new Envelope("pack index", "FIPI", VERSION, VERSION);
    private static final int ENTRY_BYTES = 2 * Digest.BYTES + 3;

    private PackFormat() {}

    static byte[] header() {
        return new ByteWriter(HEADER_BYTES)
                .raw(ascii(MAGIC))
                .u16(VERSION)
                .u16(0)
                .toBytes();
    }

    static void checkHeader(byte[] bytes) throws FormatException {
        ByteReader in = new ByteReader("pack", bytes, 0, bytes.length);
        if (!new String(in.raw(4), StandardCharsets.ISO_8859_1).equals(MAGIC)) {
            throw FormatException.corrupt("not a pack: it does not begin with " + MAGIC);
        }
        Envelope.checkVersion("pack", in.u16(), VERSION, VERSION);
    }

    static byte[] index(List<PackEntry> entries) {
        ByteWriter out = INDEX.begin(16 + entries.size() * (ENTRY_BYTES + 12)).number(entries.size());
        for (PackEntry entry : entries) {
            out.digest(entry.digest()).number(entry.offset()).number(entry.rawSize());
            entry.frames().write(out);
        }
        return INDEX.seal(out);
    }

    static List<PackEntry> parseIndex(byte[] bytes, long end) throws FormatException {
        ByteReader in = INDEX.open(bytes);
        int count = in.count("objects", ENTRY_BYTES);
        List<PackEntry> entries = new ArrayList<>(count);
        long free = HEADER_BYTES;
        for (int i = 0; i < count; i++) {
            Digest digest = in.digest();
            long offset = in.number();
            long raw = in.number();
            ObjectFrames frames = ObjectFrames.read(raw, in);
            if (offset != free || frames.storedSize() > end - offset) {
                throw in.bad("the place of object " + digest + " is not behind the one before");
            }
            free = offset + frames.storedSize();
            entries.add(new PackEntry(digest, offset, raw, frames));
        }
        in.finish();
        return List.copyOf(entries);
    }

    static byte[] trailer(long indexOffset) {
        ByteWriter out = new ByteWriter(TRAILER_BYTES).u64(indexOffset);
        return out.u32(checksum(out.toBytes(), 8)).raw(ascii(TRAILER_MAGIC)).toBytes();
    }

    static long parseTrailer(byte[] bytes) throws FormatException {
        ByteReader in = new ByteReader("pack", bytes, 0, bytes.length);
        long offset = in.u64();
        boolean intact = in.u32() == checksum(bytes, 8);
        if (!intact || !new String(in.raw(4), StandardCharsets.ISO_8859_1).equals(TRAILER_MAGIC)) {
            throw FormatException.corrupt("the pack has no valid end: it was cut off or is damaged");
        }
        return offset;
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
