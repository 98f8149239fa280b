package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DirectoryBlobsTest extends AbstractBlobStoreTest {
    @Override
    BlobStore open(Path data) throws IOException {
        return new DirectoryBlobs(data);
    }

    @Test
    void whatAKilledServiceLeftHalfWrittenGoes() throws Exception {
        store.write(Blob.pack("whole"), bytes(10));
        Files.write(directory.resolve("packs/.tmp-left"), bytes(5));
        open(directory).close();
        assertThat(directory.resolve("packs/.tmp-left")).doesNotExist();
        assertThat(store.size(Blob.pack("whole"))).isEqualTo(10);
    }
}
