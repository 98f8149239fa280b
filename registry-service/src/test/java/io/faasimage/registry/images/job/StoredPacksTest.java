package io.faasimage.registry.images.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Segment;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.registry.SharedServices;
import io.faasimage.registry.TestContent;
import io.faasimage.registry.TestService;
import io.faasimage.registry.images.image.RegisteredImage;
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
        StoredPacks packs = stored(service);
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
        StoredPacks packs = stored(service);
        cut(service);
        assertThatThrownBy(() -> readAll(packs))
                .isInstanceOf(RefactorException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void objectsOfAPackWhoseIndexIsDamagedAreStoredAgain() throws Exception {
        TestService service = service(OWN);
        RegisteredImage image = store(service);
        List<Digest> one = List.of(content.digest());
        assertThat(stored(service).frames(one)).containsOnlyKeys(content.digest());
        for (Path pack : packs(service)) {
            byte[] bytes = Files.readAllBytes(pack);
            Files.write(pack, Arrays.copyOf(bytes, Math.max(0, bytes.length - 1)));
        }
        assertThat(stored(service).held(one)).containsExactlyElementsOf(one);
        assertThat(stored(service).frames(one)).isEmpty();
        assertThat(stored(service).held(one)).isEmpty();
        service.traced(image);
        assertThat(stored(service).frames(one)).containsOnlyKeys(content.digest());
    }

    private static StoredPacks stored(TestService service) {
        return service.part(ResultFiles.class).stored();
    }

    /** All packs; each test stores one of its own. */
    private static List<Path> packs(TestService service) throws IOException {
        try (Stream<Path> files = Files.list(service.data().resolve("packs"))) {
            return files.toList();
        }
    }

    private static void cut(TestService service) throws IOException {
        for (Path pack : packs(service)) {
            Files.write(pack, new byte[10]);
        }
    }

    private void readAll(StoredPacks packs) throws IOException {
        try (InputStream in = packs.open(content.digest())) {
            in.readAllBytes();
        }
    }

    private RegisteredImage store(TestService service) throws IOException {
        return service.planned("function-" + content.digest().hex().substring(0, 8), List.of(content));
    }
}
