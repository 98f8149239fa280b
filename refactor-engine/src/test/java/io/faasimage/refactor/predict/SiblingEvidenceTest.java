package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.classify.Classifier;
import io.faasimage.refactor.image.ImageConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SiblingEvidenceTest {
    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);
    private static final String SITE = "usr/local/lib/python3.12/site-packages/";

    private final FileTree tree = new FileTree(ATTRIBUTES);
    private final Map<Digest, byte[]> contents = new HashMap<>();

    @Test
    void filesOfTheSameKindInLibrariesThatAreUsedMayBeRead() throws IOException {
        file(SITE + "server/__init__.py", "init");
        file(SITE + "server/plugins/auto.py", "auto");
        file(SITE + "server/data.json", "data");
        file(SITE + "server-1.0.dist-info/METADATA", "Name: server\nVersion: 1.0\n");
        file(SITE + "server-1.0.dist-info/RECORD", """
                server/__init__.py,,
                server/plugins/auto.py,,
                server/data.json,,
                """);
        file("usr/share/perl5/Mojo/Base.pm", "base");
        file("usr/share/perl5/Mojo/Plugin/Late.pm", "late");
        file("usr/share/perl5/Other/Unused.pm", "unused");
        file("usr/share/php/Twig/Twig.php", "maybe");
        file("usr/share/php/Twig/Late.php", "late");
        FileEvidence uses = _ -> List.of(
                found(SITE + "server/__init__.py", 0.9, 3),
                found("usr/share/perl5/Mojo/Base.pm", 0.5, 7),
                found("usr/share/php/Twig/Twig.php", 0.4, 8));
        assertThat(new SiblingEvidence(uses).of(flat()))
                .containsExactlyInAnyOrder(
                        sibling(SITE + "server/plugins/auto.py", "server:1.0", 0.02),
                        sibling("usr/share/perl5/Mojo/Plugin/Late.pm", "Mojo", 0.1));
    }

    private static PredictedFile found(String path, double probability, double rank) {
        return new PredictedFile(FilePath.ofText(path), Evidence.CLOSURE, "/app", probability, rank);
    }

    private static PredictedFile sibling(String path, String library, double probability) {
        return new PredictedFile(FilePath.ofText(path), Evidence.SIBLING, library, probability, 9);
    }

    private FlatImage flat() throws IOException {
        return new FlatImage(
                tree,
                digest -> new ByteArrayInputStream(contents.getOrDefault(digest, new byte[0])),
                Classifier.classify(tree, digest -> contents.getOrDefault(digest, new byte[0])),
                new ImageConfig(List.of(), Map.of(), List.of(), List.of(), List.of(), "", ""),
                1);
    }

    private void file(String path, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Digest digest = Digest.of(bytes);
        contents.put(digest, bytes);
        FilePath file = FilePath.ofText(path);
        FilePath directory = FilePath.ROOT;
        for (String name : file.parent().raw().split("/")) {
            directory = directory.child(name);
            tree.put(directory, new Inode.Directory(ATTRIBUTES));
        }
        tree.put(file, Inode.RegularFile.of(ATTRIBUTES, bytes.length, digest));
    }
}
