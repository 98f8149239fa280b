package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A small image in an archive that {@code ctr} imports: a static busybox, and above it a layer with names that are
 * hard.
 *
 * @param archive in the format of {@code docker save}
 * @param chains the chain IDs of its layers, bottom first
 */
record TestImage(Path archive, List<ChainId> chains) {
    static final String NAME = "docker.io/faasimage/busybox:test";
    static final Path BUSYBOX = Path.of("/bin/busybox");
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** The last name has a byte that is no UTF-8. */
    private static final String LAYERS = """
            set -e
            mkdir -p one/bin one/etc one/tmp one/data two/data
            test -x /bin/busybox || { echo 'install busybox-static'; exit 1; }
            cp /bin/busybox one/bin/busybox
            ln -s busybox one/bin/sh
            echo root:x:0:0:root:/:/bin/sh > one/etc/passwd
            echo gone > one/data/gone
            echo spaces > 'two/data/a name with spaces'
            echo umlaut > 'two/data/größe'
            echo latin > "two/data/$(printf 'caf\\351')"
            : > two/data/.wh.gone
            tar -C one -cf one.tar .
            tar -C two -cf two.tar .
            """;

    static TestImage build(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        shell(directory, LAYERS);
        List<String> diffIds = new ArrayList<>();
        List<Digest> digests = new ArrayList<>();
        for (String layer : List.of("one.tar", "two.tar")) {
            Digest digest = Digest.of(Files.readAllBytes(directory.resolve(layer)));
            digests.add(digest);
            diffIds.add('"' + digest.toString() + '"');
        }
        Files.writeString(directory.resolve("config.json"), """
                {"architecture":"%s","os":"linux","config":{"Env":["PATH=/bin"]},
                 "rootfs":{"type":"layers","diff_ids":[%s]}}
                """.formatted(
                        architecture(), diffIds.stream().collect(Collectors.joining(","))));
        Files.writeString(directory.resolve("manifest.json"), """
                [{"Config":"config.json","RepoTags":["%s"],"Layers":["one.tar","two.tar"]}]
                """.formatted(NAME));
        shell(directory, "tar -cf image.tar manifest.json config.json one.tar two.tar");
        return new TestImage(directory.resolve("image.tar"), ChainId.ofLayers(digests));
    }

    private static String architecture() {
        return System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    }

    private static void shell(Path directory, String script) throws IOException, InterruptedException {
        Command.run(LIMIT, List.of("sh", "-c", "cd '" + directory + "'\n" + script));
    }
}
