package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class StoredPacksTest extends SharedServices {
    /** The default; these tests damage all packs. */
    private static final String OWN = "--faasimage.job-attempts=3";

    private static int contents;

    /** A content that no other test stores. */
    private final TestContent content = TestContent.of(++contents, 600_000, Segment.BASE, true);

    @Test
    void storedObjectsAreStreams() throws Exception {
        TestService service = service(OWN);
        store(service);
        StoredPacks packs = service.part(ResultFiles.class).stored();
        byte[] bytes = packs.content(content.digest());
        assertThat(Digest.of(bytes)).isEqualTo(content.digest());
        try (InputStream in = packs.open(content.digest())) {
            in.skipNBytes(1000);
            assertThat(in.readNBytes(500)).isEqualTo(Arrays.copyOfRange(bytes, 1000, 1500));
        }
        assertThatThrownBy(() -> packs.open(Digest.of(new byte[] {9})))
                .isInstanceOf(RefactorException.class)
                .hasMessageContaining("no row of the database");
    }

    @Test
    void aCutPackIsReportedWhileItIsRead() throws Exception {
        TestService service = service(OWN);
        store(service);
        StoredPacks packs = service.part(ResultFiles.class).stored();
        cut(service);
        assertThatThrownBy(() -> readAll(packs))
                .isInstanceOf(RefactorException.class)
                .hasMessageContaining("cannot be read");
    }

    /** Cuts all packs; each test stores one of its own. */
    private static void cut(TestService service) throws IOException {
        try (Stream<Path> files = Files.list(service.data().resolve("packs"))) {
            for (Path pack : files.toList()) {
                Files.write(pack, new byte[10]);
            }
        }
    }

    private void readAll(StoredPacks packs) throws IOException {
        try (InputStream in = packs.open(content.digest())) {
            in.readAllBytes();
        }
    }

    private void store(TestService service) throws IOException {
        service.planned("function-" + content.digest().hex().substring(0, 8), List.of(content));
    }
}
