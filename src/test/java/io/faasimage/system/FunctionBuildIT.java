package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Functions from their code to an answer, for every language: {@code new}, {@code build} with {@code ctr}, a traced
 * start, a cold start through the snapshotter, requests on port 8080. Python's and Node.js' libraries come from their
 * package indexes, PHP's and Ruby's from packages in the function itself.
 */
final class FunctionBuildIT {
    @TempDir
    private static Path work;

    private static final String PASSWORD = "correct-horse-battery";

    private static Cluster cluster;
    private static PrivateIndex index;
    private static BuiltFunctions functions;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        index = new PrivateIndex(PASSWORD, Files.createDirectories(work.resolve("index")));
        cluster = Cluster.start(ClusterOptions.runtimes(Cluster.RUNTIMES));
        functions = new BuiltFunctions(cluster, work);
    }

    @AfterAll
    static void stopCluster() throws IOException {
        cluster.close();
        index.close();
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
        JsonNode built = functions.build(first, "python", "--env", "GREETING=good day");
        functions.trace(built, "exec python3 /home/app/server.py");
        functions.startsColdAndAnswers(built, "/?name=you", "[\"2.18.0\", \"good day\", \"the body\", \"you\"]");
        assertThat(functions.libraries(built)).contains("python Pygments 2.18.0", "python itsdangerous 2.2.0");

        List<String> layers = layers("first");
        Files.writeString(first.resolve("handler.py"), "def handle(event, context):\n    return 'changed'\n");
        Shell.Result again = functions.run("build", first, "python");
        again.ok();
        assertThat(again.err()).contains("the libraries are those of an earlier build with the same dependencies");
        List<String> changed = layers("first");
        assertThat(changed.subList(0, changed.size() - 1))
                .as("of all layers only that of the code is another")
                .isEqualTo(layers.subList(0, layers.size() - 1));
        assertThat(changed.getLast()).isNotEqualTo(layers.getLast());
    }

    /** Digests of an image's layers, the lowest first. */
    private static List<String> layers(String name) throws IOException, InterruptedException {
        String image = "docker://" + cluster.ociRegistry + "/functions/" + name;
        JsonNode inspected = Json.mapper()
                .readTree(Shell.run("skopeo", "inspect", "--tls-verify=false", image)
                        .ok());
        return inspected.path("Layers").values().stream()
                .map(JsonNode::asString)
                .toList();
    }

    @Test
    void secretsAreReadByThePackageManagerAndAreInNoLayer() throws IOException, InterruptedException {
        Path directory = functions.template("python", "second");
        Files.writeString(directory.resolve("requirements.txt"), "acme-private\n");
        Files.writeString(directory.resolve(".env"), "TOKEN=" + PASSWORD + "\n");
        String address = "http://reader:" + PASSWORD + "@" + index.host() + "/simple";
        String secret = index.secret("pip.conf", "[global]\nindex-url = " + address + "\n");
        JsonNode built = functions.build(directory, "python", "--secret", secret);
        index.wasUsedAndThePasswordIsNowhereIn(cluster, functions.cache());
        functions.trace(built, "exec python3 /home/app/server.py");
        assertThat(functions.libraries(built)).contains("python acme-private 1.0");

        Map<String, String> environment = new HashMap<>(functions.environment());
        environment.put("PIP_INDEX_URL", address);
        Path third = functions.template("python", "third");
        Files.writeString(third.resolve("requirements.txt"), "acme-private==1.0\n");
        List<String> words = Stream.concat(
                        Stream.of(functions.arguments("build", third, "python")), Stream.of("--env", "PIP_INDEX_URL"))
                .toList();
        cluster.faasimage(environment, words.toArray(String[]::new)).ok();
        index.wasUsedAndThePasswordIsNowhereIn(cluster, functions.cache());
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
        index.wasUsedAndThePasswordIsNowhereIn(cluster, functions.cache());
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

    /** A change that cannot be built is shown and the last version keeps running; the next one is built and started. */
    @Test
    void changesAreBuiltAndStartedWhileTheirDirectoryIsWatched() throws IOException, InterruptedException {
        Path directory = functions.template("python", "changing");
        Path handler = directory.resolve("handler.py");
        Files.writeString(handler, "def handle(event, context):\n    return 'one'\n");
        try (DevelopedFunction dev = DevelopedFunction.start(functions, work.resolve("dev.log"), directory, "python")) {
            dev.awaitAnswer("one");
            Files.delete(handler);
            assertThat(dev.awaitCycle(2).path("error").asString()).contains("the function has no file 'handler.py'");
            dev.awaitAnswer("one");
            Files.writeString(handler, "def handle(event, context):\n    return 'two'\n");
            dev.awaitAnswer("two");
            JsonNode cycle = dev.awaitCycle(3);
            assertThat(cycle.path("movedBytes").asLong())
                    .as("manifest, configuration, and the code's layer")
                    .isBetween(1L, 20_000L);
            assertThat(cycle.path("steps").propertyNames()).containsExactly("build", "register", "pull", "start");
            assertThat(cluster.faasimageJson("image", "inspect", "changing")
                            .path("digest")
                            .asString())
                    .isEqualTo(cycle.path("digest").asString());
        }
        assertThat(cluster.containers.ctr("task", "ls").ok()).doesNotContain("changing");
    }

    @Test
    void whatCannotBeBuiltSaysWhyAndRegistersNothing() throws IOException, InterruptedException {
        Path directory = functions.template("python", "broken");
        Files.writeString(directory.resolve("requirements.txt"), "no-such-package-at-all==1.0\n");
        Shell.Result unknown = functions.run("build", directory, "python");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.err())
                .contains("error: the libraries could not be installed by ctr (exit code 1): ")
                .containsPattern("error: .*No matching distribution found for no-such-package-at-all==1.0");

        Shell.Result quiet = functions.run("build", directory, "python", "--env", "no=1", "--env", "NOT_SET_HERE");
        assertThat(quiet.err()).contains("cannot get the variable NOT_SET_HERE, which is not set");

        Path missing = Files.writeString(work.resolve("missing.yaml"), """
                name: python
                default: "3"
                versions: {"3": {image: "%s/no-such/base:3"}}
                """.formatted(cluster.ociRegistry));
        Shell.Result base = cluster.faasimage(
                functions.environment(),
                "build",
                directory.toString(),
                "--runtime",
                missing.toString(),
                "--image",
                "x/y");
        assertThat(base.err())
                .contains("error: could not get the base image " + cluster.ociRegistry + "/no-such/base:3");

        Shell.Result runtime =
                cluster.faasimage("build", directory.toString(), "--runtime", "cobol85", "--image", "x/y");
        assertThat(runtime.err()).contains("unknown runtime 'cobol85'; known are node18, ");

        Shell.Result nowhere = cluster.faasimage("build", directory.toString(), "--runtime", "python");
        assertThat(nowhere.err())
                .contains("no function 'broken' is registered, so say where its image is pushed: --image");

        assertThat(cluster.faasimage("functions").ok()).doesNotContain("broken");
        String tags = "http://" + cluster.ociRegistry + "/v2/functions/broken/tags/list";
        assertThat(Shell.run("curl", "-s", tags).ok()).contains("NAME_UNKNOWN");
        assertThat(functions.cache().resolve("faasimage/work")).isEmptyDirectory();
    }

    @Test
    void withoutAToolForContainersOnlyAFunctionWithDependenciesFails() throws IOException, InterruptedException {
        Path bin = Files.createDirectories(work.resolve("bin"));
        for (String tool : List.of("sh", "dirname", "readlink")) {
            Files.createSymbolicLink(bin.resolve(tool), Path.of("/bin/" + tool));
        }
        Map<String, String> environment = new HashMap<>(functions.environment());
        environment.put("PATH", bin.toString());
        Path directory = functions.template("python", "alone");
        String[] words = {
            "build",
            directory.toString(),
            "--runtime",
            cluster.runtime("python").toString(),
            "--image",
            cluster.ociRegistry + "/functions/alone"
        };
        cluster.faasimage(environment, words).ok();
        Files.writeString(directory.resolve("requirements.txt"), "flask\n");
        assertThat(cluster.faasimage(environment, words).err())
                .contains("none of docker, podman, nerdctl, ctr is here", "apt-get install podman");
    }
}
