package io.faasimage.refactor.predict;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.classify.Classifier;
import io.faasimage.refactor.image.ImageConfig;
import io.faasimage.refactor.predict.LibraryReads.ReadFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProfileEvidenceTest {
    private static final Attributes ATTRIBUTES = Attributes.of(0755, 0, 0, 0, 0);
    private static final Library REQUESTS = new Library("python", "requests", "2.0.1");
    private static final Library PYTHON = new Library("runtime", "python", "3.12");

    private final FileTree tree = new FileTree(ATTRIBUTES);
    private final Map<Digest, byte[]> contents = new HashMap<>();

    @Test
    void readsAreDerivedFromATrace() throws IOException {
        image();
        TraceEntry code = entry("app/handler.py", 0);
        TraceEntry link = entry("usr/bin/python3", 1);
        TraceEntry library = entry("usr/local/lib/python3.12/site-packages/requests/__init__.py", 2);
        Trace trace = new Trace(new ChainId(Digest.of(new byte[1])), 2, List.of(code, link, library));
        assertThat(new LibraryFiles(flat()).reads(trace))
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
        assertThat(new ProfileEvidence(profiles, _ -> List.of()).of(flat()))
                .containsExactly(new PredictedFile(init, Evidence.LIBRARY, "requests:2.0.1", seen / 2, 7));
        FileEvidence imports = _ -> List.of(new PredictedFile(
                FilePath.ofText("usr/local/lib/python3.12/site-packages/requests/api.py"),
                Evidence.CLOSURE,
                "/app/handler.py",
                1,
                0));
        assertThat(new ProfileEvidence(profiles, imports).of(flat()))
                .containsExactly(new PredictedFile(init, Evidence.LIBRARY, "requests:2.0.1", seen, 7));
    }

    private static TraceEntry entry(String path, int rank) {
        return TraceEntry.whole(FilePath.ofText(path), 1, rank, 0);
    }

    private void image() {
        String site = "usr/local/lib/python3.12/site-packages/";
        file("usr/local/bin/python3.12", "python");
        link("usr/bin/python3", "/usr/local/bin/python3.12");
        file(site + "requests/__init__.py", "init");
        file(site + "requests/api.py", "api");
        file(site + "requests-2.0.1.dist-info/METADATA", "Name: requests\nVersion: 2.0.1\n");
        file(site + "requests-2.0.1.dist-info/RECORD", "requests/__init__.py,,\nrequests/api.py,,\n");
        file("app/handler.py", "import requests");
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
        put(path, Inode.RegularFile.of(ATTRIBUTES, bytes.length, digest));
    }

    private void link(String path, String target) {
        put(path, new Inode.Symlink(ATTRIBUTES, target));
    }

    private void put(String path, Inode inode) {
        FilePath file = FilePath.ofText(path);
        String[] names = file.parent().raw().split("/");
        FilePath directory = FilePath.ROOT;
        for (String name : names) {
            directory = directory.child(name);
            tree.put(directory, new Inode.Directory(ATTRIBUTES));
        }
        tree.put(file, inode);
    }
}
