package io.faasimage.registry.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.function.FunctionRequest;
import io.faasimage.api.job.JobInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.blob.BlobStore;
import io.faasimage.registry.blob.BlobTable;
import io.faasimage.registry.image.LayerIndexes;
import io.faasimage.registry.image.RegisteredImage;
import io.faasimage.registry.object.ObjectTable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class StoredPacksTest {
    private static final TestContent CONTENT = TestContent.of(1, 600_000, Segment.BASE, true);

    @TempDir
    private Path data;

    @Test
    void storedObjectsAreStreams() throws Exception {
        try (TestService service = TestService.start(data)) {
            store(service);
            StoredPacks packs = packs(service);
            byte[] content = packs.content(CONTENT.digest());
            assertThat(Digest.of(content)).isEqualTo(CONTENT.digest());
            try (InputStream in = packs.open(CONTENT.digest())) {
                in.skipNBytes(1000);
                assertThat(in.readNBytes(500)).isEqualTo(Arrays.copyOfRange(content, 1000, 1500));
            }
            assertThatThrownBy(() -> packs.open(Digest.of(new byte[] {9})))
                    .isInstanceOf(RefactorException.class)
                    .hasMessageContaining("no row of the database");
        }
    }

    @Test
    void aCutPackIsReportedWhileItIsRead() throws Exception {
        try (TestService service = TestService.start(data)) {
            store(service);
            StoredPacks packs = packs(service);
            try (Stream<Path> files = Files.list(data.resolve("packs"))) {
                for (Path pack : files.toList()) {
                    Files.write(pack, new byte[10]);
                }
            }
            assertThatThrownBy(() -> readAll(packs))
                    .isInstanceOf(RefactorException.class)
                    .hasMessageContaining("cannot be read");
        }
    }

    private static void readAll(StoredPacks packs) throws IOException {
        try (InputStream in = packs.open(CONTENT.digest())) {
            in.readAllBytes();
        }
    }

    private static StoredPacks packs(TestService service) {
        return new StoredPacks(
                service.part(ObjectTable.class),
                service.part(BlobStore.class),
                service.part(BlobTable.class),
                service.part(LayerIndexes.class));
    }

    private static void store(TestService service) throws IOException {
        RegisteredImage image = service.images().push("registry.test/first:1", "first");
        service.refactoring().content(image.digest(), List.of(CONTENT));
        service.client().register(new FunctionRequest("first", image.reference(), null, null));
        JobInfo job = service.awaitEnd(service.client()
                .postTrace(TestService.trace(image.topChain(), 3))
                .id());
        assertThat(job.state()).isEqualTo(JobInfo.State.DONE);
    }
}
