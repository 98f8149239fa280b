package io.faasimage.registry.bundle;

import io.faasimage.registry.OnS3;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@link BundleHttpTest} with blobs in S3. */
class BundleOnS3IT extends BundleHttpTest {
    @RegisterExtension
    static final OnS3 STORE = new OnS3();
}
