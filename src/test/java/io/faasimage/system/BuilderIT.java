package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Functions from their code to an answer, for every language: {@code new}, {@code build}, a traced start, a cold start through
 * the snapshotter, requests on port 8080. Python's and Node.js' libraries come from their package indexes, PHP's and Ruby's
 * from packages in the function itself.
 */
final class BuilderIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private static Path work;

    private static Cluster cluster;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        cluster = Cluster.startWithBuilder();
    }

    @AfterAll
    static void stopCluster() throws IOException {
        cluster.close();
    }

    private static Path newFunction(String language, String name) throws IOException, InterruptedException {
        Path directory = work.resolve(name);
        cluster.faasimage("new", language, name, "--into", directory.toString()).ok();
        return directory;
    }

    private static JsonNode build(Path directory, String runtime, String... options)
            throws IOException, InterruptedException {
        return cluster.faasimageJson(
                Stream.concat(Stream.of("build", directory.toString(), "--runtime", runtime), Stream.of(options))
                        .toArray(String[]::new));
    }

    /** Traces a built function on a port of its own, since the host's network has others. */
    private static void trace(JsonNode build, String command) throws IOException, InterruptedException {
        String port = Integer.toString(Cluster.freePort());
        String traced = cluster.faasimage(
                        "trace",
                        build.path("image").asString(),
                        "--net-host",
                        "--limit",
                        "30",
                        "--readiness-port",
                        port,
                        "--readiness-path",
                        "/_/ready",
                        "--",
                        "/bin/sh",
                        "-c",
                        "export PORT=" + port + "; exec " + command)
                .ok();
        assertThat(traced).contains("state PLANNED");
    }

    /** Forgets a traced function, starts it again and asks it, in a network of its own. */
    private static void startsColdAndAnswers(JsonNode build, String path, String answer)
            throws IOException, InterruptedException {
        String image = build.path("image").asString();
        String id = build.path("function").asString();
        cluster.ctr("image", "rm", "--sync", image).ok();
        cluster.faasimage("pull", image).ok();
        cluster.ctr("run", "-d", "--snapshotter", "faasimage", image, id).ok();
        try {
            String pid = cluster.ctr("task", "ls")
                    .ok()
                    .lines()
                    .filter(line -> line.startsWith(id + " "))
                    .findFirst()
                    .orElseThrow()
                    .split(" +")[1];
            Shell.run("nsenter", "-t", pid, "-n", "ip", "link", "set", "lo", "up")
                    .ok();
            Wait.until(LIMIT, id + " to be ready", () -> get(pid, "/_/ready").equals("OK 200"));
            assertThat(get(pid, "/_/health")).isEqualTo("OK 200");
            assertThat(get(pid, path)).isEqualTo(answer + " 200");
        } finally {
            cluster.remove(id);
        }
    }

    private static String get(String pid, String path) throws IOException, InterruptedException {
        return Shell.run(
                        "nsenter",
                        "-t",
                        pid,
                        "-n",
                        "curl",
                        "-s",
                        "-d",
                        "the body",
                        "-w",
                        " %{http_code}",
                        "http://127.0.0.1:8080" + path)
                .out();
    }

    private static List<String> libraries(JsonNode build) throws IOException, InterruptedException {
        JsonNode image =
                cluster.faasimageJson("image", "inspect", build.path("image").asString());
        return image.path("libraries").values().stream()
                .map(library -> library.path("ecosystem").asString() + " "
                        + library.path("name").asString() + " "
                        + library.path("version").asString())
                .toList();
    }

    private static long packed() throws IOException {
        try (Stream<Path> packs = Files.list(cluster.dir.resolve("d/packs"))) {
            return packs.mapToLong(pack -> pack.toFile().length()).sum();
        }
    }

    @Test
    void python() throws IOException, InterruptedException {
        Path first = newFunction("python", "first");
        Files.writeString(first.resolve("requirements.txt"), "pygments==2.18.0\nitsdangerous==2.2.0\n");
        Files.writeString(first.resolve("handler.py"), """
                import os
                import itsdangerous
                import pygments

                def handle(event, context):
                    return [pygments.__version__, os.environ["GREETING"], event.body.decode(), event.query["name"]]
                """);
        String[] options = {"--memory", "64Mi", "--env", "GREETING=good day"};
        JsonNode built = build(first, "python3.11", options);
        assertThat(build(first, "python3.11", options).path("digest").asString())
                .as("the same input gives the same image")
                .isEqualTo(built.path("digest").asString());
        trace(built, "python3 /home/app/server.py");
        startsColdAndAnswers(built, "/?name=you", "[\"2.18.0\", \"good day\", \"the body\", \"you\"]");
        assertThat(libraries(built)).contains("python Pygments 2.18.0", "python itsdangerous 2.2.0");

        long before = packed();
        Path second = newFunction("python", "second");
        Files.writeString(second.resolve("requirements.txt"), "pygments==2.18.0\nitsdangerous==2.1.2\n");
        Files.writeString(second.resolve("handler.py"), Files.readString(first.resolve("handler.py")));
        JsonNode sharing = build(second, "python", options);
        trace(sharing, "python3 /home/app/server.py");
        assertThat(libraries(sharing)).contains("python Pygments 2.18.0", "python itsdangerous 2.1.2");
        assertThat(packed() - before)
                .as("what the second function adds: not Pygments, whose 1 MB is there")
                .isBetween(1L, 200_000L);
    }

    @Test
    void node() throws IOException, InterruptedException {
        Path directory = newFunction("node", "orders");
        Files.writeString(directory.resolve("package.json"), """
                {"name": "orders", "version": "1.0.0", "type": "module", "dependencies": {"uuid": "9.0.1"}}
                """);
        Files.writeString(directory.resolve("handler.js"), """
                import { validate } from 'uuid';
                export default async (event) => ({ valid: validate(event.query.id), body: event.body.toString() });
                """);
        JsonNode built = build(directory, "node");
        trace(built, "node /home/app/server.js");
        startsColdAndAnswers(built, "/?id=x", "{\"valid\":false,\"body\":\"the body\"}");
        assertThat(libraries(built)).contains("node uuid 9.0.1");
    }

    @Test
    void php() throws IOException, InterruptedException {
        Path directory = newFunction("php", "greeting");
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
        JsonNode built = build(directory, "php");
        trace(built, "php -S 0.0.0.0:$PORT /home/app/server.php");
        startsColdAndAnswers(built, "/?name=you", "[\"hello you\",\"the body\"]");
        assertThat(libraries(built)).contains("php acme/greeting 1.2.3");
    }

    private static void put(ZipOutputStream zip, String name, String text) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(text.getBytes(StandardCharsets.UTF_8));
        zip.closeEntry();
    }

    @Test
    void ruby() throws IOException, InterruptedException {
        Path directory = newFunction("ruby", "salute");
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
        JsonNode built = build(directory, "ruby");
        trace(built, "ruby /home/app/server.rb");
        startsColdAndAnswers(built, "/?name=you", "[\"hello you\",\"the body\"]");
        assertThat(libraries(built)).contains("ruby acme_greeting 1.2.3");
    }

    @Test
    void whatCannotBeBuiltSaysWhyAndRegistersNothing() throws IOException, InterruptedException {
        Path directory = newFunction("python", "broken");
        Files.writeString(directory.resolve("requirements.txt"), "no-such-package-at-all==1.0\n");
        Shell.Result unknown = cluster.faasimage("build", directory.toString(), "--runtime", "python3.11");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err())
                .contains("ERROR: No matching distribution found for no-such-package-at-all==1.0")
                .contains("error: build of broken failed: the libraries could not be installed (exit code 1)");

        Files.writeString(directory.resolve("requirements.txt"), "numpy==2.1.3\n");
        Shell.Result large = cluster.faasimage("build", directory.toString(), "--runtime", "python3.11");
        assertThat(large.err()).contains("it took more than 64 MiB of disk", "--faasimage.build.disk");

        Shell.Result runtime = cluster.faasimage("build", directory.toString(), "--runtime", "cobol85");
        assertThat(runtime.err()).contains("there is no runtime 'cobol85'; there are node18, ");
        assertThat(cluster.faasimage("functions").ok()).doesNotContain("broken");
        assertThat(cluster.dir.resolve("d/builds/work")).isEmptyDirectory();
        assertThat(cluster.dir.resolve("d/builds/code")).isEmptyDirectory();
    }
}
