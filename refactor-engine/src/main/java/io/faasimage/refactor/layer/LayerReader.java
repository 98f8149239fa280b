package io.faasimage.refactor.layer;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.layer.Decompressed;
import io.faasimage.layer.LayerException;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.spool.Spool;
import io.faasimage.refactor.spool.SpoolWriter;
import io.faasimage.refactor.stream.ReadAhead;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.List;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.function.ToIntFunction;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A reader of layers: download, verify and uncompress in one thread, verify again, parse and hash the files in another;
 * other threads compress the files' contents. Thread-safe.
 */
public final class LayerReader {
    private static final int COPY_BUFFER = 128 << 10;
    private static final long FIRST_PAUSE_MILLIS = 200;

    private final ImageSource source;
    private final Spool spool;
    private final LayerLimits limits;
    private final ToIntFunction<FilePath> levels;
    private final LongConsumer bytesRead;

    /**
     * A reader that puts contents into {@code spool}.
     *
     * @param levels zstd level of the content at a path
     * @param bytesRead receives the number of bytes of blobs that were read
     */
    public LayerReader(
            ImageSource source,
            Spool spool,
            LayerLimits limits,
            ToIntFunction<FilePath> levels,
            LongConsumer bytesRead) {
        this.source = source;
        this.spool = spool;
        this.limits = limits;
        this.levels = levels;
        this.bytesRead = bytesRead;
    }

    /**
     * Reads the layer with this number, again from its start after a pause while the transport breaks off.
     *
     * @param diffId that the uncompressed bytes must hash to
     * @param attempts at most so many times
     */
    public LayerIndex read(int number, LayerDescriptor layer, Digest diffId, int attempts) throws IOException {
        try (SpoolWriter writer = spool.writer("layer-" + number)) {
            for (int attempt = 1; ; attempt++) {
                LayerUse use = new LayerUse(limits);
                try {
                    LayerIndex index = new Attempt(layer, diffId, use).run(writer);
                    writer.flush();
                    return index;
                } catch (RefactorException e) {
                    if (!e.isWorthRepeating()
                            || attempt >= attempts
                            || Thread.currentThread().isInterrupted()) {
                        throw new RefactorException(
                                e.kind(), "layer " + (number + 1) + " (" + layer.digest() + "): " + e.getMessage(), e);
                    }
                    use.giveBack();
                    pause(attempt, e);
                }
            }
        }
    }

    private static void pause(int attempt, RefactorException last) throws RefactorException {
        try {
            Thread.sleep(FIRST_PAUSE_MILLIS << Math.min(attempt - 1, 6));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RefactorException(Kind.CANCELLED, "interrupted after: " + last.getMessage(), last);
        }
    }

    /** One pass over one layer. */
    private final class Attempt {
        private final LayerDescriptor layer;
        private final Digest diffId;
        private final LayerUse use;
        /** Set by the thread that uncompresses, at its end. */
        private volatile @Nullable BlobBlocks blocks;

        Attempt(LayerDescriptor layer, Digest diffId, LayerUse use) {
            this.layer = layer;
            this.diffId = diffId;
            this.use = use;
        }

        LayerIndex run(SpoolWriter writer) throws IOException {
            MessageDigest hash = Digest.newSha256();
            try (ReadAhead uncompressed = ReadAhead.start(
                    this::uncompress,
                    Thread.ofPlatform()
                            .daemon()
                            .name("layer-" + layer.digest().hex().substring(0, 8))
                            .factory())) {
                InputStream tar = new BufferedInputStream(new DigestInputStream(uncompressed, hash), COPY_BUFFER);
                List<LayerEntry> entries = new TarReader(use, writer, levels).read(tar);
                tar.transferTo(OutputStream.nullOutputStream());
                verify(Digest.ofBytes(hash.digest()));
                return new LayerIndex(
                        layer.digest(),
                        diffId,
                        Objects.requireNonNull(blocks, "the blob was read to its end"),
                        use.counts(),
                        entries);
            }
        }

        private void verify(Digest actual) throws RefactorException {
            if (!actual.equals(diffId)) {
                throw new RefactorException(
                        Kind.DIGEST_MISMATCH,
                        "uncompressed it should be " + diffId + " but is " + actual + ": push the image again");
            }
        }

        private void uncompress(OutputStream out) throws IOException {
            byte[] buffer = new byte[COPY_BUFFER];
            try (BlockHashes blob = new BlockHashes(new Counted(source.openLayer(layer)));
                    InputStream tar = Decompressed.of(blob, "layer " + layer.digest())) {
                for (int n = tar.read(buffer); n >= 0; n = tar.read(buffer)) {
                    use.countBytes(n);
                    out.write(buffer, 0, n);
                }
                blob.transferTo(OutputStream.nullOutputStream());
                blocks = blob.blocks();
            } catch (LayerException e) {
                throw RefactorException.of(e);
            } catch (EOFException | ZipException | com.github.luben.zstd.ZstdIOException e) {
                throw new RefactorException(Kind.INVALID, "the compressed data is damaged: " + e.getMessage(), e);
            }
        }
    }

    /** A stream that reports the number of bytes read. */
    private final class Counted extends FilterInputStream {
        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int n = in.read(buffer, offset, length);
            if (n > 0) {
                bytesRead.accept(n);
            }
            return n;
        }
    }
}
