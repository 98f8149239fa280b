package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Functions from their code to an answer, for every language: {@code new}, {@code build}, a traced start, a cold start
 * through the snapshotter, requests on port 8080. Python's and Node.js' libraries come from their package indexes,
 * PHP's and Ruby's from packages in the function itself.
 */
final class BuilderIT {
    @TempDir
    private static Path work;

    private static final String PASSWORD = "correct-horse-battery";

    private static Cluster cluster;
    private static PrivateIndex index;
    private static BuiltFunctions functions;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        index = new PrivateIndex(PASSWORD, Files.createDirectories(work.resolve("index")));
        cluster = Cluster.start(ClusterOptions.builder(Cluster.RUNTIMES));
        functions = new BuiltFunctions(cluster, work);
    }

    @AfterAll
    static void stopCluster() throws IOException {
        cluster.close();
        index.close();
    }

    private static long packed() throws IOException {
        try (Stream<Path> packs = Files.list(cluster.dir.resolve("d/packs"))) {
            return packs.mapToLong(pack -> pack.toFile().length()).sum();
        }
    }

    @Test
    void python() throws IOException, InterruptedException {
        Path first = functions.template("python", "first");
        Files.writeString(first.resolve("requirements.txt"), "pygments==2.18.0\nitsdangerous==2.2.0\n");
        Files.writeString(first.resolve("handler.py"), """
                import os
                import itsdangerous
                import pygments

                def handle(event, context):
                    return [pygments.__version__, os.environ["GREETING"], event.body.decode(), event.query["name"]]
                """);
        String[] options = {"--memory", "64Mi", "--env", "GREETING=good day"};
        JsonNode built = functions.build(first, "python3.11", options);
        functions.trace(built, "exec python3 /home/app/server.py");
        functions.startsColdAndAnswers(built, "/?name=you", "[\"2.18.0\", \"good day\", \"the body\", \"you\"]");
        assertThat(functions.libraries(built)).contains("python Pygments 2.18.0", "python itsdangerous 2.2.0");

        long before = packed();
        Path second = functions.template("python", "second");
        Files.writeString(second.resolve("requirements.txt"), "pygments==2.18.0\nitsdangerous==2.1.2\nacme-private\n");
        Files.writeString(second.resolve(".env"), "TOKEN=" + PASSWORD + "\n");
        String pip = "[global]\nextra-index-url = http://reader:" + PASSWORD + "@" + index.host() + "/simple\n";
        Files.writeString(second.resolve("handler.py"), Files.readString(first.resolve("handler.py")));
        String[] withSecret = {"--env", "GREETING=good day", "--secret", index.secret("pip.conf", pip)};
        JsonNode sharing = functions.build(second, "python", withSecret);
        index.wasUsedAndThePasswordIsNowhereIn(cluster);
        functions.trace(sharing, "exec python3 /home/app/server.py");
        assertThat(functions.libraries(sharing))
                .contains("python Pygments 2.18.0", "python itsdangerous 2.1.2", "python acme-private 1.0");
        assertThat(packed() - before)
                .as("what the second function adds: not Pygments, whose 1 MB is there")
                .isBetween(1L, 200_000L);
    }

    @Test
    void node() throws IOException, InterruptedException {
        Path directory = functions.template("node", "orders");
        Files.writeString(directory.resolve("package.json"), """
                {"name": "orders", "version": "1.0.0", "type": "module", "dependencies":
                 {"uuid": "9.0.1", "@acme/private": "1.0.0"}}
                """);
        Files.writeString(directory.resolve("handler.js"), """
                import { validate } from 'uuid';
                import name from '@acme/private';
                export default async (event) => ({
                    valid: validate(event.query.id), name, body: event.body.toString() });
                """);
        String npm = "@acme:registry=http://%1$s/npm/\n//%1$s/npm/:_auth=%2$s\n".formatted(index.host(), index.login());
        JsonNode built = functions.build(directory, "node", "--secret", index.secret("npmrc", npm));
        index.wasUsedAndThePasswordIsNowhereIn(cluster);
        functions.trace(built, "exec node /home/app/server.js");
        functions.startsColdAndAnswers(built, "/?id=x", "{\"valid\":false,\"name\":\"acme\",\"body\":\"the body\"}");
        assertThat(functions.libraries(built)).contains("node uuid 9.0.1", "node @acme/private 1.0.0");
    }

    @Test
    void php() throws IOException, InterruptedException {
        Path directory = functions.template("php", "greeting");
        Path packages = Files.createDirectories(directory.resolve("packages"));
        try (OutputStream file = Files.newOutputStream(packages.resolve("acme-greeting-1.2.3.zip"));
                ZipOutputStream zip = new ZipOutputStream(file)) {
            put(zip, "composer.json", """
                    {"name": "acme/greeting", "version": "1.2.3", "autoload": {"psr-4": {"Acme\\\\": "src/"}}}""");
            put(zip, "src/Greeting.php", """
                    <?php namespace Acme; class Greeting { static function of($name) { return "hello $name"; } }""");
        }
        Files.writeString(directory.resolve("composer.json"), """
                {"repositories": [{"type": "artifact", "url": "packages/"}, {"packagist.org": false}],
                 "require": {"acme/greeting": "1.2.3"}}""");
        Files.writeString(directory.resolve("handler.php"), """
                <?php return fn (array $event) => [Acme\\Greeting::of($event['query']['name']), $event['body']];""");
        JsonNode built = functions.build(directory, "php");
        functions.trace(built, "exec sh /home/app/start.sh");
        functions.startsColdAndAnswers(built, "/?name=you", "[\"hello you\",\"the body\"]");
        assertThat(functions.libraries(built)).contains("php acme/greeting 1.2.3");
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    @Test
    void ruby() throws IOException, InterruptedException {
        Path directory = functions.template("ruby", "salute");
        Path cache = Files.createDirectories(directory.resolve("vendor/cache"));
        Shell.run(
                        "python3",
                        "images/gem.py",
                        cache.resolve("acme_greeting-1.2.3.gem").toString())
                .ok();
        Files.writeString(directory.resolve("Gemfile"), "gem \"acme_greeting\", \"1.2.3\"\n");
        Files.writeString(directory.resolve("handler.rb"), """
                require "acme_greeting"
                def handle(event) = [AcmeGreeting.of(event[:query]["name"]), event[:body]]
                """);
        JsonNode built = functions.build(directory, "ruby");
        functions.trace(built, "exec ruby /home/app/server.rb");
        functions.startsColdAndAnswers(built, "/?name=you", "[\"hello you\",\"the body\"]");
        assertThat(functions.libraries(built)).contains("ruby acme_greeting 1.2.3");
    }

    /** A change that cannot be built is shown and the last version runs on; the next one is built, planned, started. */
    @Test
    void changesAreBuiltAndStartedWhileTheirDirectoryIsWatched() throws IOException, InterruptedException {
        Path directory = functions.template("python", "changing");
        Files.writeString(directory.resolve("requirements.txt"), "itsdangerous==2.2.0\n");
        Path handler = directory.resolve("handler.py");
        Files.writeString(handler, "import itsdangerous\ndef handle(event, context):\n    return 'one'\n");
        JsonNode traced = functions.build(directory, "python");
        functions.trace(traced, "exec python3 /home/app/server.py");
        try (DevelopedFunction dev = DevelopedFunction.start(cluster, work.resolve("dev.log"), directory, "python")) {
            dev.awaitAnswer("one");
            Files.delete(handler);
            assertThat(dev.awaitCycle(2).path("error").asString()).contains("the function has no file 'handler.py'");
            dev.awaitAnswer("one");
            Files.writeString(handler, "import itsdangerous\ndef handle(event, context):\n    return 'two'\n");
            dev.awaitAnswer("two");
            JsonNode cycle = dev.awaitCycle(3);
            assertThat(cycle.path("way").asString()).isEqualTo("planned");
            assertThat(cycle.path("movedBytes").asLong())
                    .as("manifest, configuration, the changed file, and what differs in plan and metadata image")
                    .isBetween(1L, 20_000L);
            assertThat(cycle.path("steps").propertyNames()).containsExactly("upload", "build", "plan", "pull", "start");
            assertThat(cluster.faasimageJson("image", "inspect", "changing")
                            .path("digest")
                            .asString())
                    .isEqualTo(cycle.path("digest").asString())
                    .isNotEqualTo(traced.path("digest").asString());
        }
        assertThat(cluster.containers.ctr("task", "ls").ok()).doesNotContain("changing");
    }

    @Test
    void whatCannotBeBuiltSaysWhyAndRegistersNothing() throws IOException, InterruptedException {
        Path directory = functions.template("python", "broken");
        Files.writeString(directory.resolve("requirements.txt"), "no-such-package-at-all==1.0\n");
        Shell.Result unknown = cluster.faasimage("build", directory.toString(), "--runtime", "python3.11");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err())
                .contains("ERROR: No matching distribution found for no-such-package-at-all==1.0")
                .contains("error: build of broken failed: the libraries could not be installed (exit code 1)");

        Files.writeString(directory.resolve("requirements.txt"), "numpy==2.1.3\n");
        Shell.Result large = cluster.faasimage("build", directory.toString(), "--runtime", "python3.11");
        assertThat(large.err()).contains("it took more than 64 MiB of disk", "--faasimage.build.disk");

        Files.writeString(
                directory.resolve("requirements.txt"),
                "--index-url http://169.254.169.254/simple\n--trusted-host 169.254.169.254\nnothing==1.0\n");
        Shell.Result metadata = cluster.faasimage("build", directory.toString(), "--runtime", "python3.11");
        assertThat(metadata.err()).contains("builds may not reach 169.254.169.254:80", "--faasimage.build.egress");

        Shell.Result runtime = cluster.faasimage("build", directory.toString(), "--runtime", "cobol85");
        assertThat(runtime.err()).contains("unknown runtime 'cobol85'; known are node18, ");
        nothingIsLeftOf("broken");
    }

    /** A small file system in the place of the builds' directory stands for a full disk. */
    @Test
    void aFullDiskEndsTheBuildAndTheNextOneWorks() throws IOException, InterruptedException {
        Path directory = functions.template("python", "bulky");
        Files.writeString(directory.resolve("requirements.txt"), "pygments==2.18.0\n");
        String builds = cluster.dir.resolve("d/builds/work").toString();
        Shell.run("mount", "-t", "tmpfs", "-o", "size=2m", "none", builds).ok();
        try {
            Shell.Result full = cluster.faasimage("build", directory.toString(), "--runtime", "python3.11");
            assertThat(full.exit()).isEqualTo(1);
            assertThat(full.err()).contains("error: build of bulky failed: ", "No space left on device");
            nothingIsLeftOf("bulky");
        } finally {
            Shell.run("umount", builds).ok();
        }
        functions.build(directory, "python3.11");
        assertThat(cluster.faasimage("functions").ok()).contains("bulky");
    }

    @Test
    void aServiceThatIsKilledWhileItInstallsLeavesNothingAfterItsRestart() throws Exception {
        Path directory = functions.template("python", "killed");
        try (ServerSocket silent = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Files.writeString(
                    directory.resolve("requirements.txt"),
                    "--index-url http://127.0.0.1:" + silent.getLocalPort() + "/simple\nnothing==1.0\n");
            Future<Shell.Result> build =
                    threads.submit(() -> cluster.faasimage("build", directory.toString(), "--runtime", "python3.11"));
            silent.setSoTimeout(60_000);
            try (Socket _ = silent.accept()) {
                String container = "faasimage-build-"
                        + cluster.faasimageJson("builds").path(0).path("id").asString();
                assertThat(processesOf(container)).as("pip waits").isNotEmpty();
                cluster.killService();
                assertThat(build.get().exit()).isNotZero();
                cluster.startService();
                Path work = cluster.dir.resolve("d/builds/work");
                Wait.until(Duration.ofSeconds(60), "the removal of what the build left", () -> {
                    try (Stream<Path> left = Files.list(work)) {
                        return processesOf(container).isEmpty()
                                && left.findAny().isEmpty();
                    }
                });
            }
        }
        nothingIsLeftOf("killed");
        JsonNode failed = cluster.faasimageJson("builds").path(0);
        assertThat(failed.path("state").asString()).isEqualTo("FAILED");
        assertThat(failed.path("error").asString()).contains("the service stopped");
        Files.writeString(directory.resolve("requirements.txt"), "");
        functions.build(directory, "python3.11");
    }

    /** Those whose control group is named so. */
    private static List<Path> processesOf(String container) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(process -> {
                        try {
                            return Files.readString(process.resolve("cgroup")).contains(container);
                        } catch (IOException e) {
                            return false;
                        }
                    })
                    .toList();
        }
    }

    private static void nothingIsLeftOf(String function) throws IOException, InterruptedException {
        assertThat(cluster.faasimage("functions").ok()).doesNotContain(function);
        assertThat(cluster.dir.resolve("d/builds/work")).isEmptyDirectory();
        assertThat(cluster.dir.resolve("d/builds/code")).isEmptyDirectory();
        assertThat(Files.readString(Path.of("/proc/self/mounts"))).doesNotContain("/d/builds/work/");
        assertThat(Shell.run("losetup", "--list", "--output", "BACK-FILE").ok()).doesNotContain(cluster.dir + "/");
        String tags = Shell.run(
                        "curl", "-s", "http://" + cluster.ociRegistry + "/v2/functions/" + function + "/tags/list")
                .ok();
        assertThat(tags).contains("NAME_UNKNOWN");
    }
}
