package io.faasimage.registry.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.OnS3;
import io.faasimage.registry.TestService;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobKind;
import io.faasimage.registry.blob.BlobStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** As {@link GarbageTest}, with blobs in S3. */
class GarbageOnS3IT extends GarbageTest {
    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @TempDir
    Path other;

    @Override
    Path blobs(Path data) {
        return STORE.files(data);
    }

    @Test
    void whatAKilledServiceUploadedAndNoRowNamesGoesWithTime() throws Exception {
        try (TestService service =
                TestService.start(other, "--faasimage.garbage.interval=1h", "--faasimage.garbage.keep=1h")) {
            BlobStore store = service.part(BlobStore.class);
            for (BlobKind kind : EnumSet.complementOf(EnumSet.of(BlobKind.STORE))) {
                store.write(new Blob(kind, "0".repeat(64)), new byte[10]);
            }
            service.part(Garbage.class).collect();
            age(service);
            service.part(Garbage.class).collect();
            for (BlobKind kind : EnumSet.complementOf(EnumSet.of(BlobKind.STORE))) {
                List<String> names = new ArrayList<>();
                store.names(kind, names::add);
                assertThat(names).as(kind.folder()).isEmpty();
            }
        }
    }
}
