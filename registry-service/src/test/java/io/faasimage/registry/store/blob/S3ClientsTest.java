package io.faasimage.registry.store.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.platform.config.BlobSettings;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.regions.Region;

/** Tests of the region for which requests are signed. */
class S3ClientsTest {
    private static final String PROPERTY = SdkSystemSetting.AWS_REGION.property();

    private static Optional<Region> region(@Nullable String endpoint, @Nullable String region) {
        return S3Clients.region(
                new BlobSettings.S3("b", "", endpoint == null ? null : URI.create(endpoint), region, true, 4));
    }

    @AfterEach
    void clear() {
        System.clearProperty(PROPERTY);
    }

    @Test
    void theSettingComesFirstThenWhatTheEnvironmentSays() {
        System.setProperty(PROPERTY, "eu-north-1");
        assertThat(region("http://s3.test", "eu-central-1")).contains(Region.EU_CENTRAL_1);
        assertThat(region("http://s3.test", null)).contains(Region.EU_NORTH_1);
        assertThat(region("http://s3.test", " ")).contains(Region.EU_NORTH_1);
        assertThat(region(null, null)).isEmpty();
    }

    @Test
    void anotherStoreThanAmazonsNeedsNone() {
        System.setProperty("aws.configFile", "/nonexistent");
        System.setProperty("aws.sharedCredentialsFile", "/nonexistent");
        try {
            String named = System.getenv("AWS_REGION");
            assertThat(region("http://s3.test", null)).contains(named == null ? Region.US_EAST_1 : Region.of(named));
        } finally {
            System.clearProperty("aws.configFile");
            System.clearProperty("aws.sharedCredentialsFile");
        }
    }
}
