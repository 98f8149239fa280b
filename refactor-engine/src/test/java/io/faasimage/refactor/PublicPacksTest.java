package io.faasimage.refactor;

import static io.faasimage.refactor.TestImages.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.TestImages.Layer;
import io.faasimage.refactor.TestImages.Packing;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.refactor.pack.PackEntry;
import io.faasimage.refactor.pack.PackReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two functions on one base, whose starts read other files of it in another order. */
class PublicPacksTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    @SuppressWarnings("NullAway.Init")
    private Layer base;

    @BeforeEach
    void makeBase() throws Exception {
        Path root = Files.createDirectories(temp.resolve("base"));
        for (int i = 0; i < 20; i++) {
            Files.writeString(root.resolve("file-" + i), text(i));
        }
        base = layer(root);
    }

    private static String text(int seed) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            text.append(i * (seed + 7) % 977).append(' ');
        }
        return text.toString();
    }

    private static Layer layer(Path root) throws IOException, InterruptedException {
        return new Layer(run(root, "tar", "--format=pax", "--mtime=@0", "-c", "."), Packing.GZIP);
    }

    /** The digests of a function's packs by their names. */
    private Map<String, Digest> packs(String function, int publicLayers, String... traced) throws Exception {
        Map<String, Digest> packs = new TreeMap<>();
        for (PackFile pack : refactor(function, publicLayers, traced).packs()) {
            packs.put(String.valueOf(pack.file().getFileName()), Digest.of(Files.readAllBytes(pack.file())));
        }
        return packs;
    }

    private RefactorResult refactor(String function, int publicLayers, String... traced) throws Exception {
        Path root = Files.createDirectories(temp.resolve(function));
        Files.writeString(root.resolve(function), "code of " + function);
        Path layout = temp.resolve("layout-" + function);
        TestImages.layout(layout, List.of(base, layer(root)));
        try (ImageSource source = ImageSources.open(ImageLocation.parse("oci:" + layout), SourceOptions.defaults())) {
            ResolvedImage image = source.resolve(Platform.parse("linux/amd64"));
            List<TraceEntry> entries = new ArrayList<>();
            for (String path : traced) {
                entries.add(TraceEntry.whole(FilePath.ofText(path), 1, entries.size(), 0));
            }
            return new RefactorEngine(
                            EngineConfig.defaults(temp.resolve("work")).withPublicLayers(publicLayers))
                    .refactor(
                            source,
                            image,
                            new Trace(image.topChain(), 1, entries),
                            Holdings.NONE,
                            temp.resolve("out-" + function),
                            ProgressListener.NONE);
        }
    }

    @Test
    void thePackOfAPublicLayerIsTheSameForAllImagesOnIt() throws Exception {
        Map<String, Digest> one = packs("one", 1, "file-3", "one", "file-1");
        Map<String, Digest> two = packs("two", 1, "two", "file-9", "file-3");
        assertThat(one.keySet())
                .filteredOn(name -> name.startsWith(PackFile.PUBLIC))
                .singleElement()
                .satisfies(name -> {
                    assertThat(two).containsEntry(name, one.get(name));
                    try (PackReader reader =
                            PackReader.open(temp.resolve("out-one").resolve(name))) {
                        assertThat(reader.entries())
                                .hasSize(20)
                                .extracting(PackEntry::digest)
                                .isSorted();
                    }
                });
        assertThat(one).hasSize(2);
        assertThat(two).hasSize(2);
    }

    @Test
    void withoutPublicLayersTheBaseIsPackedAsEachFunctionReadsIt() throws Exception {
        Map<String, Digest> one = packs("one", 0, "file-3", "one", "file-1");
        Map<String, Digest> two = packs("two", 0, "two", "file-9", "file-3");
        assertThat(one.keySet())
                .doesNotContainAnyElementsOf(two.keySet())
                .noneMatch(name -> name.startsWith(PackFile.PUBLIC));
    }

    @Test
    void whatAnUpperLayerBringsIsNotPublic() throws Exception {
        Digest code = Digest.of("code of one".getBytes(StandardCharsets.UTF_8));
        RefactorResult result = refactor("one", 1, "one");
        assertThat(result.locations())
                .filteredOn(at -> !at.pack().startsWith(PackFile.PUBLIC))
                .extracting(ObjectLocation::digest)
                .containsExactly(code);
    }
}
