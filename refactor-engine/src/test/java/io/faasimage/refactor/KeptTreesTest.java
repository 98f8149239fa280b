package io.faasimage.refactor;

import static io.faasimage.refactor.TestImages.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.TestImages.Layer;
import io.faasimage.refactor.TestImages.Packing;
import io.faasimage.refactor.flatten.Flattener;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of kept layers: their weight, and that images on them get the same plans as without. */
class KeptTreesTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    private final Set<Digest> metadata = new HashSet<>();

    @Test
    void contentsOfLayersWeighAsTheirEntriesDo() {
        Map<Digest, ImageStack.Shown> contents = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            contents.put(Digest.of(String.valueOf(i).getBytes(java.nio.charset.StandardCharsets.UTF_8)), shown());
        }
        ImageStack.Applied layers = new ImageStack.Applied(1, new Flattener(1), contents);
        ChainId chain = new ChainId(Digest.of(new byte[0]));
        KeptTrees small = new KeptTrees(2 * 300_000);
        small.add(chain, new KeptTrees.Lower(layers, List.of()));
        assertThat(small.fits(1001)).isFalse();
        assertThat(small.lower(chain)).isEmpty();
        KeptTrees large = new KeptTrees(2 * 400_000);
        large.add(chain, new KeptTrees.Lower(layers, List.of()));
        assertThat(large.fits(1001)).isTrue();
        assertThat(large.lower(chain)).isPresent();
    }

    private static ImageStack.Shown shown() {
        return new ImageStack.Shown(1, FilePath.ofText("etc/system"));
    }

    @Test
    void anImageHasTheSamePlanOnKeptLayers() throws Exception {
        Layer system = layer("etc/system", "of all");
        Layer function = layer("app/main.rb", "of the first");
        Layer changed = layer("app/main.rb", "of the second");
        KeptTrees none = new KeptTrees(0);
        RefactorResult plain = refactor(none, system, function);
        RefactorResult next = refactor(none, system, changed);
        assertThat(next.planDigest()).isNotEqualTo(plain.planDigest());

        KeptTrees trees = new KeptTrees(1 << 20);
        RefactorResult first = refactor(trees, system, function);
        assertThat(first.planDigest()).isEqualTo(plain.planDigest());
        first.metadataImages().forEach(image -> metadata.add(image.digest()));
        FilePath main = FilePath.ofText("app/main.rb");
        ChainId lower = first.plan().layers().getFirst().chainId();
        assertThat(trees.lower(lower).orElseThrow().stack().flattener().tree().get(main))
                .isEmpty();
        Digest whole = first.plan().layers().getLast().metadata();
        assertThat(trees.whole(whole).orElseThrow().get(main)).isPresent();
        for (int i = 0; i < 2; i++) {
            assertThat(refactor(trees, system, function).planDigest()).isEqualTo(plain.planDigest());
            assertThat(refactor(trees, system, changed).planDigest()).isEqualTo(next.planDigest());
        }
    }

    private Layer layer(String path, String content) throws Exception {
        Path root = Files.createTempDirectory(temp, "root");
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return new Layer(run(root, "tar", "--format=pax", "-c", "."), Packing.GZIP);
    }

    private RefactorResult refactor(KeptTrees trees, Layer... layers) throws IOException {
        Path layout = Files.createTempDirectory(temp, "layout");
        TestImages.layout(layout, List.of(layers));
        try (ImageSource source = ImageSources.open(ImageLocation.parse("oci:" + layout), SourceOptions.defaults())) {
            ResolvedImage image = source.resolve(Platform.parse("linux/amd64"));
            StartupSource startup = new StartupSource.Traced(new Trace(image.topChain(), 1, List.of()));
            return new RefactorEngine(EngineConfig.defaults(temp.resolve("work")), trees)
                    .refactor(source, image, startup, new Metadata(metadata), layout, ProgressListener.NONE)
                    .orElseThrow();
        }
    }

    /** A store that has metadata images and no objects. */
    private record Metadata(Set<Digest> stored) implements Holdings {
        @Override
        public Set<Digest> held(Collection<Digest> digests) {
            return Set.of();
        }

        @Override
        public byte[] content(Digest digest) throws IOException {
            return NONE.content(digest);
        }

        @Override
        public void copy(Digest digest, OutputStream out) throws IOException {
            NONE.copy(digest, out);
        }

        @Override
        public boolean holdsMetadata(Digest digest) {
            return stored.contains(digest);
        }

        @Override
        public Optional<byte[]> layerIndex(Digest blob) {
            return Optional.empty();
        }
    }
}
