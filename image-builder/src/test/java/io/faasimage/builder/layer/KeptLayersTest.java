package io.faasimage.builder.layer;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KeptLayersTest {
    private static final Duration DAY = Duration.ofDays(1);

    @TempDir
    private Path work;

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private KeptLayers layers(int kept) throws IOException {
        InstantSource source = () -> now;
        return new KeptLayers(work.resolve("kept"), kept, DAY, source.withZone(ZoneOffset.UTC));
    }

    private static Digest inputs(String text) {
        return new InputDigest().text(text).digest();
    }

    private LayerFile layer(String text) throws IOException {
        try (LayerWriter writer = new LayerWriter(work.resolve(text + ".tar.gz"))) {
            return writer.text("/opt/libraries/" + text, text).finish();
        }
    }

    private void keep(KeptLayers layers, String text) throws IOException {
        layers.keep(inputs(text), layer(text)).close();
        now = now.plusSeconds(1);
    }

    @Test
    void aLayerIsFoundByItsInputsAlsoAfterARestart() throws IOException {
        LayerFile made = layer("a");
        byte[] bytes = Files.readAllBytes(made.blob());
        layers(2).keep(inputs("a"), made).close();
        try (KeptLayers.Use use = layers(2).find(inputs("a")).orElseThrow()) {
            assertThat(use.layer().digest()).isEqualTo(made.digest());
            assertThat(use.layer().diffId()).isEqualTo(made.diffId());
            assertThat(use.layer().blob()).hasBinaryContent(bytes);
        }
        assertThat(layers(2).find(inputs("b"))).isEmpty();
    }

    @Test
    void theLeastRecentlyUsedOneThatNobodyUsesGoes() throws IOException {
        KeptLayers layers = layers(2);
        keep(layers, "a");
        try (KeptLayers.Use used = layers.find(inputs("a")).orElseThrow()) {
            now = now.plusSeconds(1);
            keep(layers, "b");
            keep(layers, "c");
            keep(layers, "d");
            assertThat(used.layer().blob()).exists();
        }
        keep(layers, "e");
        assertThat(layers.find(inputs("a"))).isEmpty();
        assertThat(layers.find(inputs("c"))).isEmpty();
        assertThat(layers.find(inputs("d"))).isPresent();
        assertThat(layers.find(inputs("e"))).isPresent();
    }

    @Test
    void anOldOrDamagedLayerIsMadeAgain() throws IOException {
        KeptLayers layers = layers(2);
        keep(layers, "a");
        now = now.plus(DAY);
        assertThat(layers.find(inputs("a"))).isEmpty();
        keep(layers, "a");
        try (KeptLayers.Use use = layers.find(inputs("a")).orElseThrow()) {
            Files.writeString(use.layer().blob(), "cut");
        }
        assertThat(layers.find(inputs("a"))).isEmpty();
    }

    @Test
    void nothingIsKeptWhereNothingIsWanted() throws IOException {
        KeptLayers layers = layers(0);
        LayerFile made = layer("a");
        try (KeptLayers.Use use = layers.keep(inputs("a"), made)) {
            assertThat(use.layer()).isEqualTo(made);
        }
        assertThat(layers.find(inputs("a"))).isEmpty();
        assertThat(made.blob()).exists();
    }

    @Test
    void inputsDifferByNameContentAndMode() throws IOException {
        Path top = Files.createDirectories(work.resolve("source"));
        Path file = Files.writeString(top.resolve("requirements.txt"), "flask==3.0\n", StandardCharsets.UTF_8);
        Digest first = new InputDigest().tree(top, file).digest();
        assertThat(new InputDigest().tree(top, file).digest()).isEqualTo(first);
        Files.writeString(file, "flask==3.1\n");
        assertThat(new InputDigest().tree(top, file).digest()).isNotEqualTo(first);
        Files.writeString(file, "flask==3.0\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        assertThat(new InputDigest().tree(top, file).digest()).isNotEqualTo(first);
        assertThat(new InputDigest().text("ab").text("c").digest())
                .isNotEqualTo(new InputDigest().text("a").text("bc").digest());
    }
}
