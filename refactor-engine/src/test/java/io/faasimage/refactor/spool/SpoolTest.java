package io.faasimage.refactor.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.held.Holdings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final byte[] HELD = {7, 7, 7};

    @TempDir
    private Path directory;

    /** Stores one object. */
    private static final Holdings HOLDINGS = new Holdings() {
        @Override
        public Set<Digest> held(Collection<Digest> digests) {
            return digests.stream().filter(Digest.of(HELD)::equals).collect(Collectors.toSet());
        }

        @Override
        public byte[] content(Digest digest) {
            return HELD.clone();
        }

        @Override
        public void copy(Digest digest, OutputStream out) throws IOException {
            out.write(HELD);
        }

        @Override
        public Optional<byte[]> layerIndex(Digest blob) {
            return Optional.empty();
        }
    };

    @Test
    void contentsOfAnySizeAreOpenedFromTheirBeginning() throws Exception {
        byte[] large = new byte[3 * SpoolBatch.BYTES + 5];
        new Random(5).nextBytes(large);
        List<byte[]> contents = List.of(new byte[] {1}, large, HELD);
        try (Spool spool = new Spool(directory, HOLDINGS, 1)) {
            try (SpoolWriter writer = spool.writer("layer")) {
                for (byte[] content : contents) {
                    writer.add(new ByteArrayInputStream(content), content.length, 1);
                }
                writer.flush();
            }
            spool.await();
            for (byte[] content : contents) {
                assertThat(read(spool, content)).isEqualTo(content);
            }
        }
    }

    private static byte[] read(Spool spool, byte[] content) throws IOException {
        try (InputStream in = spool.open(Digest.of(content))) {
            return in.readAllBytes();
        }
    }
}
