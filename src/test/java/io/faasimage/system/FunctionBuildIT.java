package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Python functions from their code to an answer: {@code new}, {@code build} with {@code ctr}, a traced start, a cold
 * start through the snapshotter, requests on port 8080. {@link FunctionLanguagesIT} has the other languages.
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
        cluster = Cluster.start(ClusterOptions.runtimes(List.of("python")));
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
