package io.faasimage.refactor;

import static io.faasimage.refactor.TestImages.run;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.IndexRange;
import io.faasimage.format.plan.Piece;
import io.faasimage.format.plan.PiecedObject;
import io.faasimage.format.plan.Plan;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.trace.ByteRange;
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
import io.faasimage.refactor.piece.PieceRules;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large files of which starts read only a part. */
@SuppressWarnings("NullAway.Init")
class LargeObjectsTest {
    private static final int CHUNK = 4096;
    private static final PieceRules RULES = new PieceRules(20_000, 12, 3, 80, 2 * CHUNK, 4 * CHUNK);

    @TempDir
    Path temp;

    /** The contents of the packs. */
    private final Map<Digest, byte[]> contents = new HashMap<>();

    private final byte[] content = new byte[20 * CHUNK + 5];
    private Path layout;

    @BeforeEach
    void makeImage() throws IOException, InterruptedException {
        new Random(1).nextBytes(content);
        Path root = Files.createDirectories(temp.resolve("root"));
        Files.write(root.resolve("large"), content);
        Files.writeString(root.resolve("small"), "small");
        layout = temp.resolve("layout");
        TestImages.layout(layout, List.of(new Layer(run(root, "tar", "--format=pax", "-c", "."), Packing.GZIP)));
    }

    private RefactorResult refactor(Optional<PieceRules> rules, Holdings held, int rangeRuns) throws IOException {
        EngineConfig config = EngineConfig.defaults(temp.resolve("work"));
        try (ImageSource source = ImageSources.open(ImageLocation.parse("oci:" + layout), SourceOptions.defaults())) {
            ResolvedImage image = source.resolve(Platform.parse("linux/amd64"));
            TraceEntry large = new TraceEntry(
                    FilePath.ofText("large"),
                    rangeRuns,
                    rangeRuns,
                    0,
                    rangeRuns,
                    List.of(new ByteRange(0, 10), new ByteRange(5 * CHUNK + 1, 2 * CHUNK)));
            TraceEntry small = TraceEntry.whole(FilePath.ofText("small"), rangeRuns, 0, 0);
            return new RefactorEngine(rules.map(config::withPieces).orElse(config))
                    .refactor(
                            source,
                            image,
                            new Trace(image.topChain(), rangeRuns, List.of(small, large)),
                            held,
                            temp.resolve("out"),
                            ProgressListener.NONE);
        }
    }

    private void keep(RefactorResult result) throws IOException {
        for (PackFile pack : result.packs()) {
            try (PackReader reader = PackReader.open(pack.file())) {
                for (PackEntry entry : reader.entries()) {
                    contents.put(entry.digest(), Zstd.decompress(reader.frame(entry), (int) entry.rawSize()));
                }
            }
        }
    }

    private void assertPieces(Plan plan) {
        assertThat(plan.pieced()).hasSize(1);
        PiecedObject large = plan.pieced().getFirst();
        PlanObject object = plan.objects().get(large.object());
        assertThat(object.digest()).isEqualTo(Digest.of(content));
        assertThat(large.startupChunks())
                .containsExactly(new IndexRange(0, 1), new IndexRange(5, 8), new IndexRange(20, 21));
        byte[] whole = new byte[content.length];
        for (Piece piece : large.pieces()) {
            byte[] bytes = contents.get(piece.digest());
            assertThat(bytes).hasSize((int) piece.size(CHUNK, content.length));
            int at = 0;
            for (IndexRange range : piece.chunks()) {
                int length = Math.min(content.length, range.to() * CHUNK) - range.from() * CHUNK;
                System.arraycopy(bytes, at, whole, range.from() * CHUNK, length);
                at += length;
            }
        }
        assertThat(whole).isEqualTo(content);
        assertThat(plan.pieces()).hasSize(large.pieces().size());
        assertThat(plan.startupPieces().toArray())
                .hasSize(large.startupCount())
                .startsWith(plan.objects().size());
    }

    @Test
    void aNewLargeFileIsStoredWholeAndInPieces() throws IOException {
        RefactorResult result = refactor(Optional.of(RULES), Holdings.NONE, 3);
        keep(result);
        assertPieces(result.plan());
        assertThat(contents)
                .containsKey(Digest.of(content))
                .hasSize(2 + result.plan().pieces().size());
        assertThat(result.report().phases()).containsKey(ProgressListener.Phase.CUT);
    }

    @Test
    void aStoredLargeFileIsCutAndNotStoredAgain() throws IOException {
        RefactorResult whole = refactor(Optional.empty(), Holdings.NONE, 3);
        keep(whole);
        assertThat(whole.plan().pieced()).isEmpty();
        List<Digest> before = new ArrayList<>(contents.keySet());
        RefactorResult cut = refactor(Optional.of(RULES), new Held(), 3);
        keep(cut);
        assertPieces(cut.plan());
        assertThat(cut.locations()).extracting(ObjectLocation::digest).doesNotContainAnyElementsOf(before);
        RefactorResult again = refactor(Optional.of(RULES), new Held(), 3);
        assertThat(again.packs()).isEmpty();
        assertThat(again.planDigest()).isEqualTo(cut.planDigest());
    }

    @Test
    void tooFewStartsShowNothing() throws IOException {
        assertThat(refactor(Optional.of(RULES), Holdings.NONE, 2).plan().pieced())
                .isEmpty();
    }

    /** Holdings with the contents of the packs. */
    private final class Held implements Holdings {
        @Override
        public Set<Digest> held(Collection<Digest> digests) {
            Set<Digest> held = new HashSet<>(digests);
            held.retainAll(contents.keySet());
            return held;
        }

        @Override
        public byte[] content(Digest digest) {
            return contents.getOrDefault(digest, new byte[0]).clone();
        }

        @Override
        public void copy(Digest digest, OutputStream out) throws IOException {
            out.write(content(digest));
        }

        @Override
        public Optional<byte[]> layerIndex(Digest blob) {
            return Optional.empty();
        }
    }
}
