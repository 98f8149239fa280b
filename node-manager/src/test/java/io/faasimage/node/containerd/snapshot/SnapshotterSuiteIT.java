package io.faasimage.node.containerd.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.node.starts.trace.StartTracing;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** containerd's own snapshotter test suite, through its proxy client, each case on a fresh server. */
class SnapshotterSuiteIT {
    private static final int CASES = 21;
    private static final Path DRIVER = Path.of("../src/test/snapshotter-suite");
    private static final Duration BUILD_LIMIT = Duration.ofMinutes(10);
    private static final Duration RUN_LIMIT = Duration.ofMinutes(5);

    @TempDir
    Path directory;

    @Test
    void passesContainerdsSuite() throws Exception {
        Path suite = build();
        List<SnapshotterServer> servers = new ArrayList<>();
        try {
            List<Path> sockets = new ArrayList<>();
            for (int i = 0; i < CASES; i++) {
                Path socket = directory.resolve(i + ".sock");
                SnapshotterConfig config = SnapshotterConfig.of(directory.resolve("root" + i), socket);
                SnapshotterServer server = new SnapshotterServer(config, new FakePlans(), StartTracing.NONE);
                server.start();
                servers.add(server);
                sockets.add(socket);
            }
            String list = sockets.stream().map(Path::toString).collect(Collectors.joining(","));
            Command.Result result = Command.attempt(
                    RUN_LIMIT,
                    Map.of("TMPDIR", directory.toString()),
                    directory,
                    List.of(suite.toString(), "-test.root", "-test.v", "-sockets", list));

            assertThat(result.status()).as(result.output()).isZero();
            long passed = count(result.output(), "    --- PASS: TestSnapshotter/");
            System.out.println("containerd's snapshotter suite: " + passed + " of " + CASES + " cases passed");
            assertThat(passed).as(result.output()).isEqualTo(CASES);
        } finally {
            servers.forEach(SnapshotterServer::close);
        }
    }

    private Path build() throws IOException, InterruptedException {
        Path suite = directory.resolve("suite.test");
        Command.Result built = Command.attempt(
                BUILD_LIMIT, Map.of(), DRIVER, List.of(go(), "test", "-c", "-o", suite.toString(), "."));
        assertThat(built.status()).as(built.output()).isZero();
        return suite;
    }

    private static String go() {
        Stream<String> folders = Stream.concat(
                Pattern.compile(":").splitAsStream(System.getenv().getOrDefault("PATH", "")),
                Stream.of("/usr/local/go/bin", "/usr/lib/go/bin"));
        return folders.map(folder -> Path.of(folder, "go"))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElseThrow(
                        () -> new AssertionError("the suite is a Go program and there is no go command; install Go 1.24"
                                + " or later and put it into PATH (./check installs it)"));
    }

    private static long count(String text, String line) {
        return Pattern.compile(Pattern.quote(line)).matcher(text).results().count();
    }
}
