package io.faasimage.refactor;

import static io.faasimage.refactor.TestImages.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.ObjectFrames;
import io.faasimage.format.plan.PlanLayer;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.TestImages.Layer;
import io.faasimage.refactor.TestImages.Packing;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.held.Holdings;
import io.faasimage.refactor.image.ImageBudget;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.refactor.image.ImageSource;
import io.faasimage.refactor.image.ImageSources;
import io.faasimage.refactor.image.Platform;
import io.faasimage.refactor.image.ResolvedImage;
import io.faasimage.refactor.image.SourceOptions;
import io.faasimage.refactor.pack.PackEntry;
import io.faasimage.refactor.pack.PackReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefactorEngineTest {
    private static final Platform AMD64 = Platform.parse("linux/amd64");

    private ImageBudget budget = ImageBudget.DEFAULT;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path temp;

    @SuppressWarnings("NullAway.Init")
    private Path root;

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(temp.resolve("root"));
    }

    @Test
    void packsEveryObjectOncePrefetchListFirst() throws Exception {
        write("app/handler.py", "print('hello')");
        write("app/other.py", "print('other')");
        write("app/copy.py", "print('other')");
        write("app/empty", "");
        Files.createSymbolicLink(root.resolve("code"), Path.of("app"));
        RefactorResult result = refactor(List.of(layer(Packing.GZIP)), Holdings.NONE, "code/other.py", "app/no");

        assertThat(result.plan().startup().stream().map(PlanObject::digest)).containsExactly(digest("print('other')"));
        assertThat(result.plan().rest().stream().map(PlanObject::digest)).containsExactly(digest("print('hello')"));
        assertThat(objects(result))
                .containsOnly(
                        Map.entry(digest("print('other')"), "print('other')"),
                        Map.entry(digest("print('hello')"), "print('hello')"));
        assertThat(result.report().tracedFiles()).isEqualTo(1);
        assertThat(result.report().missingFiles()).isEqualTo(1);
        MetadataImage metadata = result.metadataImages().getFirst();
        byte[] raw = Zstd.decompress(Files.readAllBytes(metadata.file()), (int) metadata.rawSize());
        assertThat(Digest.of(raw)).isEqualTo(metadata.digest());
        assertThat(children(temp.resolve("work"))).isEmpty();
    }

    @Test
    void packsNothingThatIsHeld() throws Exception {
        write("a", "one");
        write("b", "two");
        RefactorResult result = refactor(List.of(layer(Packing.ZSTD)), holding(digest("one")));

        assertThat(result.plan().objects()).hasSize(2);
        assertThat(objects(result)).containsOnlyKeys(digest("two"));
    }

    @Test
    void sameImageAndTraceGiveTheSamePlan() throws Exception {
        write("a", "one");
        Layer layer = layer(Packing.PLAIN);
        RefactorResult first = refactor(List.of(layer), Holdings.NONE, "a");
        RefactorResult second = refactor(List.of(layer), Holdings.NONE, "a");

        assertThat(second.planDigest()).isEqualTo(first.planDigest());
        assertThat(second.packs().getFirst().file())
                .isEqualTo(first.packs().getFirst().file());
    }

    @Test
    void hiddenFilesStayInThePlanAndEachPrefixHasItsImage() throws Exception {
        write("a", "one");
        Layer bottom = layer(Packing.GZIP);
        Files.delete(root.resolve("a"));
        write(".wh.a", "");
        write("b", "two");
        Layer top = layer(Packing.ZSTD);
        RefactorResult result = refactor(List.of(bottom, top), Holdings.NONE);

        assertThat(objects(result)).containsOnlyKeys(digest("one"), digest("two"));
        assertThat(result.plan().layers()).hasSize(2);
        assertThat(result.metadataImages()).hasSize(2);
    }

    @Test
    void aHeldMetadataImageIsNotWrittenAgain() throws Exception {
        write("a", "one");
        List<Layer> layers = List.of(layer(Packing.GZIP));
        RefactorResult first = refactor(layers, Holdings.NONE);
        Digest metadata = first.metadataImages().getFirst().digest();
        RefactorResult second = refactor(layers, holding(metadata));

        assertThat(second.planDigest()).isEqualTo(first.planDigest());
        assertThat(second.metadataImages()).isEmpty();
    }

    @Test
    void largeObjectsPassThroughAFile() throws Exception {
        byte[] large = new byte[9 << 20];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i >>> 12);
        }
        Files.write(root.resolve("large"), large);
        RefactorResult result = refactor(List.of(layer(Packing.PLAIN)), Holdings.NONE);

        assertThat(objects(result)).containsOnlyKeys(Digest.of(large));
    }

    @Test
    void aLayerOfAnotherDiffIdIsRefused() throws Exception {
        write("a", "one");
        Path layout = temp.resolve("layout");
        TestImages.layout(layout, List.of(layer(Packing.GZIP)), List.of(digest("another layer")));

        assertThatThrownBy(() -> refactorLayout(layout, Holdings.NONE))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DIGEST_MISMATCH))
                .hasMessageContaining("uncompressed it should be " + digest("another layer"));
    }

    @Test
    void skippedAttributesAreWarnedOf() throws Exception {
        write("a", "one");
        byte[] tar = run(root, "tar", "--format=pax", "--pax-option=SCHILY.xattr.trusted.a:=1", "-c", ".");
        RefactorResult result = refactor(List.of(new Layer(tar, Packing.PLAIN)), Holdings.NONE);
        assertThat(result.report().warnings()).singleElement().asString().startsWith("1 extended attributes");
    }

    @Test
    void aDamagedBlobIsRefusedAndNothingIsLeft() throws Exception {
        write("a", "one");
        Path layout = temp.resolve("layout");
        TestImages.layout(layout, List.of(layer(Packing.GZIP)));
        Path blob = largestBlob(layout);
        byte[] bytes = Files.readAllBytes(blob);
        bytes[bytes.length / 2] ^= 1;
        Files.write(blob, bytes);

        assertThatThrownBy(() -> refactorLayout(layout, Holdings.NONE))
                .isInstanceOf(RefactorException.class)
                .hasMessageContaining("layer");
        assertThat(children(temp.resolve("work"))).isEmpty();
        assertThat(children(temp.resolve("out"))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {200_000, 3 << 20})
    void aStartupFileThatIsFirstMetElsewhereIsCompressedAsOne(int size) throws Exception {
        byte[] content = new byte[size];
        SplittableRandom random = new SplittableRandom(1);
        // Words, of which a higher level finds more within a frame.
        byte[] words = new byte[4096];
        random.nextBytes(words);
        for (int i = 0; i < size; i += 8) {
            System.arraycopy(words, random.nextInt(words.length - 8), content, i, Math.min(8, size - i));
        }
        Files.createDirectory(root.resolve("app"));
        Files.write(root.resolve("app/file"), content);
        Files.createSymbolicLink(root.resolve("code"), Path.of("app"));
        Layer layer = layer(Packing.GZIP);
        RefactorResult direct = refactor(List.of(layer), Holdings.NONE, "app/file");
        RefactorResult rest = refactor(List.of(layer), Holdings.NONE);
        RefactorResult throughLink = refactor(List.of(layer), Holdings.NONE, "code/file");

        assertThat(objects(throughLink)).containsOnlyKeys(Digest.of(content));
        assertThat(throughLink.locations()).isEqualTo(direct.locations());
        assertThat(rest.locations().getFirst().storedSize())
                .isGreaterThan(direct.locations().getFirst().storedSize());
    }

    private static Holdings holding(Digest object) {
        return new Holdings() {
            @Override
            public Set<Digest> held(Collection<Digest> digests) {
                return digests.contains(object) ? Set.of(object) : Set.of();
            }

            @Override
            public byte[] content(Digest digest) {
                throw new AssertionError("no database is held");
            }

            @Override
            public void copy(Digest digest, OutputStream out) {
                throw new AssertionError("no large object is cut");
            }

            @Override
            public boolean holdsMetadata(Digest metadata) {
                return metadata.equals(object);
            }

            @Override
            public Optional<byte[]> layerIndex(Digest blob) {
                return Optional.empty();
            }
        };
    }

    private static Path largestBlob(Path layout) throws IOException {
        try (Stream<Path> blobs = Files.list(layout.resolve("blobs/sha256"))) {
            return blobs.filter(p -> startsLikeGzip(p)).findFirst().orElseThrow();
        }
    }

    private static boolean startsLikeGzip(Path file) {
        try {
            return (Files.readAllBytes(file)[0] & 0xff) == 0x1f;
        } catch (IOException e) {
            return false;
        }
    }

    private Layer layer(Packing packing) throws IOException, InterruptedException {
        return new Layer(run(root, "tar", "--format=pax", "-c", "."), packing);
    }

    private void write(String name, String content) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent() == null ? root : file.getParent());
        Files.writeString(file, content);
    }

    private RefactorResult refactor(List<Layer> layers, Holdings known, String... traced) throws IOException {
        Path layout = temp.resolve("layout");
        TestImages.layout(layout, layers);
        return refactorLayout(layout, known, traced);
    }

    private RefactorResult refactorLayout(Path layout, Holdings known, String... traced) throws IOException {
        EngineConfig config = EngineConfig.defaults(temp.resolve("work")).within(budget);
        try (ImageSource source = ImageSources.open(ImageLocation.parse("oci:" + layout), SourceOptions.defaults())) {
            ResolvedImage image = source.resolve(AMD64);
            List<TraceEntry> entries = new ArrayList<>();
            for (String path : traced) {
                entries.add(TraceEntry.whole(FilePath.ofText(path), 1, entries.size(), 0));
            }
            Trace trace = new Trace(image.topChain(), 1, entries);
            return new RefactorEngine(config)
                    .refactor(source, image, trace, known, temp.resolve("out"), ProgressListener.NONE);
        }
    }

    @Test
    void theMetadataImagesOfAllLayersAreBoundedTogether() throws Exception {
        write("a", "one");
        Layer bottom = layer(Packing.PLAIN);
        write("b", "two");
        List<Layer> layers = List.of(bottom, layer(Packing.PLAIN));
        long used = refactor(layers, Holdings.NONE).plan().layers().stream()
                .mapToLong(PlanLayer::metadataSize)
                .sum();
        budget = new ImageBudget(1, 1024, 2, 1 << 20, 1 << 20, 1 << 20, 100, used - 1);
        assertThatThrownBy(() -> refactor(layers, Holdings.NONE))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.LIMIT))
                .hasMessageContaining("--faasimage.budget.metadata-images");
        assertThat(children(temp.resolve("work"))).isEmpty();
    }

    @Test
    void theEntriesOfAnImageFollowFromTheHeapThatItsJobHas() {
        assertThat(EngineConfig.entries(288L << 20)).isBetween(100_000, 160_000);
        assertThat(EngineConfig.entries(64L << 20)).isEqualTo(10_000);
        assertThat(EngineConfig.entries(Long.MAX_VALUE)).isEqualTo(1_000_000);
    }

    private static Map<Digest, String> objects(RefactorResult result) throws IOException {
        Map<Digest, String> objects = new HashMap<>();
        for (PackFile pack : result.packs()) {
            try (PackReader reader = PackReader.open(pack.file())) {
                for (PackEntry entry : reader.entries()) {
                    byte[] raw = Zstd.decompress(reader.frame(entry), (int) entry.rawSize());
                    assertThat(Digest.of(raw)).isEqualTo(entry.digest());
                    assertFrames(reader.frame(entry), entry);
                    assertThat(objects.put(entry.digest(), new String(raw, StandardCharsets.UTF_8)))
                            .isNull();
                }
            }
        }
        return objects;
    }

    /** Each frame can be read alone, and has its digest and a checksum. */
    private static void assertFrames(byte[] stored, PackEntry entry) {
        ObjectFrames frames = entry.frames();
        for (int i = 0; i < frames.count(); i++) {
            byte[] frame = Arrays.copyOfRange(stored, (int) frames.offset(i), (int) frames.end(i));
            assertThat(Digest.of(frame)).isEqualTo(frames.digest(i));
            assertThat(Zstd.getFrameContentSize(frame)).isEqualTo(frames.contentBytes(i));
            // The descriptor's bit of the checksum (RFC 8878, 3.1.1.1.1).
            assertThat(frame[4] & 4).isEqualTo(4);
        }
    }

    private static Digest digest(String content) {
        return Digest.of(content.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Path> children(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return List.of();
        }
        try (Stream<Path> list = Files.list(directory)) {
            return list.toList();
        }
    }
}
