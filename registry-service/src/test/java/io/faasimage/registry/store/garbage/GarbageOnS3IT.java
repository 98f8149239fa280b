package io.faasimage.registry.store.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.plan.Segment;
import io.faasimage.registry.OnS3;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.testing.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The removal of blobs from a bucket, which has no folders. */
@Timeout(120)
class GarbageOnS3IT extends SharedServices {
    @RegisterExtension
    static final OnS3 STORE = new OnS3();

    @Test
    void theBucketIsEmptyWithoutFunctionsButForItsMark() throws Exception {
        TestService service = service("--faasimage.garbage.interval=1h", "--faasimage.garbage.keep=1h");
        GarbageTest.planned(service, "first", TestContent.of(1, 1_000, Segment.BASE, true));
        Path bucket = STORE.files(service.data());
        assertThat(bucket.resolve("packs")).isNotEmptyDirectory();
        service.client().deleteFunction("first", true);
        Wait.until("all blobs to go", () -> {
            GarbageTest.age(service);
            service.part(Garbage.class).collect();
            try (Stream<Path> files = Files.walk(bucket)) {
                return files.filter(Files::isRegularFile).allMatch(bucket.resolve("store/id")::equals);
            }
        });
    }
}
