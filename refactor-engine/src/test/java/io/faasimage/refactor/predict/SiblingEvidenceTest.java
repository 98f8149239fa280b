package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SiblingEvidenceTest {
    private static final String SITE = "usr/local/lib/python3.12/site-packages/";

    private final MadeTree image = new MadeTree();

    @Test
    void filesOfTheSameKindInLibrariesThatAreUsedMayBeRead() throws IOException {
        image.file(SITE + "server/__init__.py", "init");
        image.file(SITE + "server/plugins/auto.py", "auto");
        image.file(SITE + "server/data.json", "data");
        image.file(SITE + "server-1.0.dist-info/METADATA", "Name: server\nVersion: 1.0\n");
        image.file(SITE + "server-1.0.dist-info/RECORD", """
                server/__init__.py,,
                server/plugins/auto.py,,
                server/data.json,,
                """);
        image.file("usr/share/perl5/Mojo/Base.pm", "base");
        image.file("usr/share/perl5/Mojo/Plugin/Late.pm", "late");
        image.file("usr/share/perl5/Other/Unused.pm", "unused");
        image.file("usr/share/php/Twig/Twig.php", "maybe");
        image.file("usr/share/php/Twig/Late.php", "late");
        FileEvidence uses = _ -> List.of(
                found(SITE + "server/__init__.py", 0.9, 3),
                found("usr/share/perl5/Mojo/Base.pm", 0.5, 7),
                found("usr/share/php/Twig/Twig.php", 0.4, 8));
        assertThat(new SiblingEvidence(uses).of(image.flat()))
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
}
