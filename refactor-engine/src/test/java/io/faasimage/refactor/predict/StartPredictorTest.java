package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.classify.Classifier;
import io.faasimage.refactor.image.ImageConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StartPredictorTest {
    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);
    private static final long IMAGE_BYTES = 50_000_000;

    @Test
    void filesAreFoundAtTheirPathsOrByTheirContents() throws IOException {
        FileTree earlier = tree("app/a=1", "app/b=2", "old/c=3", "app/gone=4");
        FileTree now = tree("app/a=1", "app/b=changed", "new/c=3");
        Prediction prediction = predict(now, inherited(earlier, "app/b", "old/c", "app/a", "app/gone"), List.of())
                .orElseThrow();
        assertThat(prediction.files())
                .extracting(PredictedFile::path)
                .containsExactly(path("app/b"), path("new/c"), path("app/a"));
        assertThat(prediction.files())
                .extracting(PredictedFile::evidence)
                .containsExactly(Evidence.TRACE, Evidence.MOVED, Evidence.TRACE);
        assertThat(prediction.coverage()).isEqualTo(0.75);
    }

    @Test
    void whatEarlierStartsDidNotReadIsNotPredictedFromOtherEvidence() throws IOException {
        FileTree earlier = tree("app/a=1", "lib/same=2", "lib/other=3");
        FileTree now = tree("app/a=1", "lib/same=2", "lib/other=changed");
        FileEvidence closure = image -> List.of(
                new PredictedFile(path("lib/same"), Evidence.CLOSURE, "/app/a", 0.9, 5),
                new PredictedFile(path("lib/other"), Evidence.CLOSURE, "/app/a", 0.9, 6));
        Prediction prediction =
                predict(now, inherited(earlier, "app/a"), List.of(closure)).orElseThrow();
        assertThat(prediction.files())
                .extracting(PredictedFile::path)
                .containsExactly(path("app/a"), path("lib/other"));
    }

    @Test
    void evidenceOfDifferentKindsAddsUpAndTheStrongestNamesTheFile() throws IOException {
        FileTree now = tree("app/a=1");
        FileEvidence closure = image -> List.of(new PredictedFile(path("app/a"), Evidence.CLOSURE, "/bin/sh", 0.5, 7));
        FileEvidence library = image -> List.of(new PredictedFile(path("app/a"), Evidence.LIBRARY, "a:1", 0.5, 9));
        Prediction prediction = new StartPredictor(Optional.empty(), List.of(closure, library))
                .predict(image(now))
                .orElseThrow();
        assertThat(prediction.files())
                .containsExactly(new PredictedFile(path("app/a"), Evidence.LIBRARY, "a:1", 0.75, 7));
    }

    @Test
    void whereNothingIsFoundAgainThereIsNoPrediction() throws IOException {
        assertThat(predict(tree("app/a=1"), inherited(tree("old=2"), "old"), List.of()))
                .isEmpty();
        assertThat(new StartPredictor(Optional.empty(), List.of()).predict(image(tree("app/a=1"))))
                .isEmpty();
    }

    private static Optional<Prediction> predict(FileTree now, InheritedTrace inherited, List<FileEvidence> others)
            throws IOException {
        return new StartPredictor(Optional.of(inherited), others).predict(image(now));
    }

    private static InheritedTrace inherited(FileTree earlier, String... paths) {
        List<TraceEntry> entries = new ArrayList<>();
        for (String path : paths) {
            entries.add(TraceEntry.whole(path(path), 1, entries.size(), 0));
        }
        Trace trace = new Trace(new ChainId(Digest.of(new byte[1])), 1, entries);
        return new InheritedTrace("earlier", trace, Optional.of(earlier));
    }

    private static FlatImage image(FileTree tree) throws IOException {
        return new FlatImage(
                tree,
                digest -> InputStream.nullInputStream(),
                Classifier.classify(tree, digest -> new byte[0]),
                new ImageConfig(List.of(), Map.of(), List.of(), List.of(), List.of(), "", ""),
                IMAGE_BYTES);
    }

    /** Files of 10 KB, as {@code path=content}. */
    private static FileTree tree(String... files) {
        FileTree tree = new FileTree(ATTRIBUTES);
        for (String file : files) {
            FilePath path = path(file.substring(0, file.indexOf('=')));
            tree.put(path.parent(), new Inode.Directory(ATTRIBUTES));
            Digest content = Digest.of(file.substring(file.indexOf('=')).getBytes(StandardCharsets.UTF_8));
            tree.put(path, Inode.RegularFile.of(ATTRIBUTES, 10_000, content));
        }
        return tree;
    }

    private static FilePath path(String text) {
        return FilePath.ofText(text);
    }
}
