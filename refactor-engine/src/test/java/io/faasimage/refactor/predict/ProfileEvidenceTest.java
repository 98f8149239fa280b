package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.predict.LibraryReads.ReadFile;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProfileEvidenceTest {
    private static final Library REQUESTS = new Library("python", "requests", "2.0.1");
    private static final Library PYTHON = new Library("runtime", "python", "3.12");

    private final MadeTree tree = new MadeTree();

    @Test
    void readsAreDerivedFromATrace() throws IOException {
        image();
        TraceEntry code = entry("app/handler.py", 0);
        TraceEntry link = entry("usr/bin/python3", 1);
        TraceEntry library = entry("usr/local/lib/python3.12/site-packages/requests/__init__.py", 2);
        Trace trace = new Trace(new ChainId(Digest.of(new byte[1])), 2, List.of(code, link, library));
        assertThat(new LibraryFiles(tree.flat()).reads(trace))
                .containsExactlyInAnyOrder(
                        new LibraryReads(REQUESTS, List.of(new ReadFile("requests/__init__.py", 0.5, 2))),
                        new LibraryReads(PYTHON, List.of(new ReadFile("usr/local/bin/python#", 0.5, 1))));
    }

    @Test
    void aLibraryThatIsNotImportedCountsAsOftenAsOthersUsedIt() throws IOException {
        image();
        Profile profile = new Profile(
                new LibraryReads(
                        REQUESTS,
                        List.of(new ReadFile("requests/__init__.py", 1, 7), new ReadFile("requests/gone.py", 1, 8))),
                6,
                0.5);
        Profiles profiles = library -> Optional.of(profile).filter(_ -> library.equals(REQUESTS));
        FilePath init = FilePath.ofText("usr/local/lib/python3.12/site-packages/requests/__init__.py");
        double seen = 3 / 3.5;
        assertThat(new ProfileEvidence(profiles, _ -> List.of()).of(tree.flat()))
                .containsExactly(new PredictedFile(init, Evidence.LIBRARY, "requests:2.0.1", seen / 2, 7));
        FileEvidence imports = _ -> List.of(new PredictedFile(
                FilePath.ofText("usr/local/lib/python3.12/site-packages/requests/api.py"),
                Evidence.CLOSURE,
                "/app/handler.py",
                1,
                0));
        assertThat(new ProfileEvidence(profiles, imports).of(tree.flat()))
                .containsExactly(new PredictedFile(init, Evidence.LIBRARY, "requests:2.0.1", seen, 7));
    }

    private static TraceEntry entry(String path, int rank) {
        return TraceEntry.whole(FilePath.ofText(path), 1, rank, 0);
    }

    private void image() {
        String site = "usr/local/lib/python3.12/site-packages/";
        tree.file("usr/local/bin/python3.12", "python");
        tree.link("usr/bin/python3", "/usr/local/bin/python3.12");
        tree.file(site + "requests/__init__.py", "init");
        tree.file(site + "requests/api.py", "api");
        tree.file(site + "requests-2.0.1.dist-info/METADATA", "Name: requests\nVersion: 2.0.1\n");
        tree.file(site + "requests-2.0.1.dist-info/RECORD", "requests/__init__.py,,\nrequests/api.py,,\n");
        tree.file("app/handler.py", "import requests");
    }
}
