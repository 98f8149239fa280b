package io.faasimage.fuzz;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.LayerDescriptor;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.layer.LayerIndex;
import io.faasimage.refactor.layer.LayerIndexCodec;
import io.faasimage.refactor.layer.LayerLimits;
import io.faasimage.refactor.layer.LayerReader;
import io.faasimage.refactor.spool.Spool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Layers as a registry sends them: tar, or compressed tar, of which nothing is trusted but the digest of the blob. */
final class TarLayers {
    private static final int MAX_BYTES = 8 << 20;

    private static final int INPUTS_PER_SPOOL = 200;

    private static int inputs;
    private static @Nullable Spool spool;
    private static @Nullable Path directory;

    private TarLayers() {}

    /** Reads a layer; an accepted one must have an index that can be read again. */
    static void read(byte[] blob) throws IOException {
        Digest digest = Digest.of(blob);
        LayerDescriptor layer = new LayerDescriptor(digest, blob.length, "application/vnd.oci.image.layer.v1.tar");
        LayerIndex index = new LayerReader(new Blob(blob), spool(), limits(), path -> 1, bytes -> {})
                .read(inputs, layer, diffId(blob, digest), 1);
        byte[] encoded = LayerIndexCodec.encode(index);
        if (!Arrays.equals(encoded, LayerIndexCodec.encode(LayerIndexCodec.decode(encoded)))) {
            throw new AssertionError("the index of the layer cannot be read again");
        }
    }

    /** One for many inputs: its threads and files cost more than an input. */
    private static Spool spool() throws IOException {
        if (inputs++ % INPUTS_PER_SPOOL == 0) {
            close();
            directory = Files.createTempDirectory("fuzz-tar");
            spool = new Spool(directory, Holdings.NONE, 1);
        }
        return Objects.requireNonNull(spool);
    }

    /** Removes the files of earlier inputs. */
    static void close() throws IOException {
        if (spool != null && directory != null) {
            spool.close();
            try (var files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    /** The digest of the layer's tar: with a wrong one, every input would be refused in the same way. */
    private static Digest diffId(byte[] blob, Digest digest) {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(blob))) {
            return Digest.of(in.readNBytes(MAX_BYTES));
        } catch (IOException e) {
            return digest;
        }
    }

    private static LayerLimits limits() {
        return new LayerLimits(MAX_BYTES, 1 << 20, 1000, 1 << 20, 4096);
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Blob(byte[] bytes) implements ImageSource {
        @Override
        public ResolvedImage resolve(Platform platform) {
            throw new AssertionError("the reader of a layer needs no manifest");
        }

        @Override
        public InputStream openLayer(LayerDescriptor layer) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public void close() {}
    }
}
