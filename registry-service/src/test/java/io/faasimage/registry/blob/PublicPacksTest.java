package io.faasimage.registry.blob;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.registry.tenant.TenantName;
import io.faasimage.registry.tenant.TenantScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packs that two tenants and the default one have stored. */
class PublicPacksTest {
    private static final Blob PUBLIC = Blob.pack("public-layer-0123456789abcdef.pack");
    private static final Blob OWN = Blob.pack("base-0123456789abcdef.pack");
    private static final List<TenantName> TENANTS =
            List.of(TenantName.DEFAULT, new TenantName("acme"), new TenantName("other"));

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path data;

    private BlobStore open(boolean sharing) throws IOException {
        PublicPacks packs = new PublicPacks(data);
        Optional<PublicPacks> shared = sharing ? Optional.of(packs) : Optional.empty();
        return new TenantBlobs(
                new DirectoryBlobs(data, shared), tenant -> new DirectoryBlobs(packs.tenant(tenant.text()), shared));
    }

    private static void each(List<TenantName> tenants, Work work) throws IOException {
        for (TenantName tenant : tenants) {
            TenantScope.<Boolean, IOException>call(tenant, () -> {
                work.run();
                return true;
            });
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static byte[] content(int last) {
        byte[] content = new byte[100_000];
        content[content.length - 1] = (byte) last;
        return content;
    }

    /** The files behind all names of a blob. */
    private Set<Object> files(Blob blob) throws IOException {
        Set<Object> files = new HashSet<>();
        try (Stream<Path> all = Files.walk(data)) {
            for (Path path : all.filter(path -> path.endsWith(blob.name())).toList()) {
                files.add(Files.getAttribute(path, "unix:ino"));
            }
        }
        return files;
    }

    @Test
    void equalPacksOfPublicLayersBecomeOneFileThatGoesWithItsLastName() throws Exception {
        try (BlobStore store = open(true)) {
            each(TENANTS, () -> {
                store.write(PUBLIC, content(1));
                store.write(OWN, content(1));
            });
            assertThat(files(PUBLIC)).hasSize(3);
            each(TENANTS, store::sweep);
            assertThat(files(PUBLIC)).hasSize(1);
            assertThat(files(OWN)).hasSize(3);

            each(TENANTS.subList(0, 2), () -> store.delete(PUBLIC));
            each(TENANTS.subList(2, 3), () -> assertThat(store.read(PUBLIC)).isEqualTo(content(1)));
            each(TENANTS, store::sweep);
            assertThat(files(PUBLIC)).hasSize(1);
            each(TENANTS.subList(2, 3), () -> store.delete(PUBLIC));
            assertThat(files(PUBLIC)).isEmpty();
        }
    }

    @Test
    void aPackWithOtherBytesStaysAndEachTenantReadsItsOwn() throws Exception {
        try (BlobStore store = open(true)) {
            each(TENANTS.subList(0, 1), () -> store.write(PUBLIC, content(1)));
            each(TENANTS.subList(1, 3), () -> store.write(PUBLIC, content(2)));
            each(TENANTS, store::sweep);
            assertThat(files(PUBLIC)).hasSize(2);
            each(TENANTS.subList(0, 1), () -> assertThat(store.read(PUBLIC)).isEqualTo(content(1)));
            each(TENANTS.subList(1, 3), () -> assertThat(store.read(PUBLIC)).isEqualTo(content(2)));
        }
    }

    @Test
    void aPackThatIsStoredAnewChangesForItsTenantOnly() throws Exception {
        try (BlobStore store = open(true)) {
            each(TENANTS, () -> store.write(PUBLIC, content(1)));
            each(TENANTS, store::sweep);
            each(TENANTS.subList(1, 2), () -> store.write(PUBLIC, content(2)));
            each(TENANTS.subList(2, 3), () -> assertThat(store.read(PUBLIC)).isEqualTo(content(1)));
        }
    }

    @Test
    void nothingIsSharedWithoutPublicImages() throws Exception {
        try (BlobStore store = open(false)) {
            each(TENANTS, () -> store.write(PUBLIC, content(1)));
            each(TENANTS, store::sweep);
            assertThat(files(PUBLIC)).hasSize(3);
        }
    }
}
