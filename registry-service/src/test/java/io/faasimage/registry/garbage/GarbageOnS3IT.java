package io.faasimage.registry.garbage;

import io.faasimage.registry.OnS3;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link GarbageTest} with blobs in S3. */
class GarbageOnS3IT extends GarbageTest {
    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @Override
    Path blobs(Path data) {
        return STORE.files(data);
    }
}
