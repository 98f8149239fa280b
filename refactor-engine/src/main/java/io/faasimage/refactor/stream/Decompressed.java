package io.faasimage.refactor.stream;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;

/** A stream uncompressed according to its first bytes: gzip, zstd or none. Not thread-safe. */
public final class Decompressed extends FilterInputStream {
    private static final int BUFFER = 64 << 10;
    private static final int MAGIC_BYTES = 6;

    /** How the bytes were stored. */
    public enum Compression {
        NONE,
        GZIP,
        ZSTD
    }

    private final Compression compression;

    private Decompressed(InputStream in, Compression compression) {
        super(in);
        this.compression = compression;
    }

    /** Looks at the first bytes of {@code in}, called {@code name} in messages. Closing the result closes {@code in}. */
    public static Decompressed of(InputStream in, String name) throws IOException {
        byte[] start = in.readNBytes(MAGIC_BYTES);
        PushbackInputStream whole = new PushbackInputStream(in, MAGIC_BYTES);
        whole.unread(start);
        int magic = start.length < 4
                ? 0
                : (start[0] & 0xff) << 24 | (start[1] & 0xff) << 16 | (start[2] & 0xff) << 8 | (start[3] & 0xff);
        if (magic >>> 16 == 0x1f8b) {
            return new Decompressed(new GZIPInputStream(whole, BUFFER), Compression.GZIP);
        }
        boolean skippable = (magic & 0xf0ffffff) == 0x502a4d18;
        if (magic == 0x28b52ffd || skippable) {
            return new Decompressed(new ZstdInputStreamNoFinalizer(whole), Compression.ZSTD);
        }
        if (magic == 0xfd377a58 || magic >>> 8 == 0x425a68) {
            throw new RefactorException(
                    Kind.UNSUPPORTED, name + " is compressed with xz or bzip2; layers are gzip, zstd or plain tar");
        }
        return new Decompressed(whole, Compression.NONE);
    }

    /** How the bytes were stored. */
    public Compression compression() {
        return compression;
    }
}
