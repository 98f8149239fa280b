package io.faasimage.refactor.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.layer.Decompressed;
import io.faasimage.refactor.TestImages.Layer;
import io.faasimage.refactor.TestImages.Packing;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every kind of image source. */
abstract class ImageSourceContract {
    static final Platform AMD64 = Platform.parse("linux/amd64");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    /** Puts an image of these layers into the source and gives its reference. */
    abstract ImageLocation publish(List<Layer> layers) throws Exception;

    /** Makes the bytes of the first layer wrong. */
    abstract void damageFirstLayer(List<Layer> layers) throws Exception;

    private static List<Layer> twoLayers() throws Exception {
        return List.of(
                new Layer("one".repeat(500).getBytes(StandardCharsets.UTF_8), Packing.GZIP),
                new Layer("two".repeat(500).getBytes(StandardCharsets.UTF_8), Packing.PLAIN));
    }

    @Test
    void resolvesAndOpensEveryLayer() throws Exception {
        List<Layer> layers = twoLayers();
        try (ImageSource source = ImageSources.open(publish(layers), SourceOptions.defaults())) {
            ResolvedImage image = source.resolve(AMD64);
            List<Digest> diffIds = layers.stream().map(Layer::diffId).toList();
            assertThat(image.diffIds()).isEqualTo(diffIds);
            assertThat(image.chainIds()).isEqualTo(ChainId.ofLayers(diffIds));
            assertThat(image.config().env()).containsExactly("PATH=/bin");
            assertThat(image.config().labels()).containsEntry("a", "b");
            for (int i = 0; i < layers.size(); i++) {
                try (InputStream in =
                        Decompressed.of(source.openLayer(image.layers().get(i)), "layer")) {
                    assertThat(Digest.of(in.readAllBytes())).isEqualTo(diffIds.get(i));
                }
            }
        }
    }

    @Test
    void anotherPlatformIsNotFound() throws Exception {
        try (ImageSource source = ImageSources.open(publish(twoLayers()), SourceOptions.defaults())) {
            assertThatThrownBy(() -> source.resolve(Platform.parse("linux/s390x")))
                    .isInstanceOfSatisfying(
                            RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND))
                    .hasMessageContaining("linux/amd64");
        }
    }

    @Test
    void aDamagedLayerFailsAtItsEnd() throws Exception {
        List<Layer> layers = twoLayers();
        ImageLocation reference = publish(layers);
        damageFirstLayer(layers);
        try (ImageSource source = ImageSources.open(reference, SourceOptions.defaults())) {
            ResolvedImage image = source.resolve(AMD64);
            assertThatThrownBy(() -> {
                        try (InputStream in = source.openLayer(image.layers().getFirst())) {
                            in.transferTo(OutputStream.nullOutputStream());
                        }
                    })
                    .isInstanceOfSatisfying(
                            RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DIGEST_MISMATCH));
        }
    }

    static void flip(Path file) throws Exception {
        byte[] bytes = java.nio.file.Files.readAllBytes(file);
        bytes[bytes.length - 3] ^= 1;
        java.nio.file.Files.write(file, bytes);
    }
}
