package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/**
 * The docker command lines of OpenWhisk 2.0.0's invoker on a real Docker Engine, one after the other, and the action
 * protocol with a real action's image.
 */
@Tag("release")
final class OpenWhiskInvokerIT {
    private static final String MARKER = "XXX_THE_END_OF_A_WHISK_ACTIVATION_XXX";
    private static final String HELLO = """
            def main(arguments):
                print("hello", arguments.get("name"), flush=True)
                return {"greeting": "Hello " + arguments.get("name", "") + "!"}
            """;
    private static final String HUNGRY = """
            def main(arguments):
                return {"bytes": len(bytes(b"x") * (1 << 30))}
            """;
    /**
     * The error of each call; 0 when it succeeds. The numbers are those of every architecture; calls without a wrapper
     * have one.
     */
    private static final String CURIOUS = """
            import ctypes, os, threading
            libc = ctypes.CDLL(None, use_errno=True)

            def fails(call, *arguments):
                ctypes.set_errno(0)
                return ctypes.get_errno() if call(*arguments) == -1 else 0

            def main(arguments):
                thread = threading.Thread(target=os.getpid)
                thread.start()
                thread.join()
                return {
                    "io_uring_setup": fails(libc.syscall, 425, 1, 0),
                    "open_tree": fails(libc.syscall, 428, -100, b"/", 0),
                    "clone3": fails(libc.syscall, 435, 0, 0),
                    "newUserNamespace": fails(libc.unshare, 0x10000000),
                    "vsock": fails(libc.socket, 40, 1, 0),
                    "executableStack": fails(libc.personality, 0x400000),
                    "process": os.waitstatus_to_exitcode(os.system("exit 7")),
                }
            """;
    /** Manifest and config. */
    private static final int DOCUMENTS = 2;

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @TempDir
    private static Path work;

    private static Cluster cluster;
    private static DockerEngine engine;
    private static String action;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        Clients clients = Clients.build(Clients.CONTAINERD, Clients.ENGINE);
        cluster = Cluster.start(ClusterOptions.containerd(clients.containerd()));
        engine = DockerEngine.start(cluster, clients);
        action = action();
        cluster.faasimage("register", action, "--name", "hello").ok();
        JsonNode traced = cluster.faasimageJson("trace", action, "--limit", "30");
        assertThat(traced.path("image").path("state").asString()).isEqualTo("PLANNED");
        engine.docker("pull", action).ok();
        assertThat(engine.content()).as("no layer was downloaded").hasSize(DOCUMENTS);
    }

    private static String action() throws IOException, InterruptedException {
        Path root = Files.createDirectories(work.resolve("action"));
        Shell.run("python3", "images/action-image.py", "images/action.py", root.toString())
                .ok();
        return image("action", root, "", "exec /bin/action");
    }

    /** An image of {@code root} with a shell and two users. */
    private static String image(String name, Path root, String user, String command)
            throws IOException, InterruptedException {
        Files.createDirectories(root.resolve("bin"));
        Files.copy(Path.of("/bin/busybox"), root.resolve("bin/busybox"));
        Files.createSymbolicLink(root.resolve("bin/sh"), Path.of("busybox"));
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), "root:x:0:0::/:/bin/sh\nowuser:x:1234:1235::/:/bin/sh\n");
        new TestImage(Files.createDirectories(work.resolve(name + "-layers")))
                .layer(root)
                .user(user)
                .command(command)
                .push(cluster.ociRegistry, name, "1");
        return cluster.ociRegistry + "/" + name + ":1";
    }

    @AfterAll
    static void stopCluster() throws IOException {
        if (engine != null) {
            engine.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @AfterEach
    void removeContainers() throws IOException, InterruptedException {
        engine.remove(engine.all("wsk0_"));
        assertThat(engine.remains()).isEmpty();
    }

    /** As the invoker starts a container; its ID. */
    private static String run(String name, String image, String memory) throws IOException, InterruptedException {
        String line = "run -d --cpu-shares 256 --memory " + memory + " --memory-swap " + memory
                + " --network bridge -e __OW_API_HOST=http://172.17.0.1:3233 --name " + name
                + " --pids-limit 1024 --cap-drop NET_RAW --cap-drop NET_ADMIN --ulimit nofile=1024:1024"
                + " --log-driver json-file " + image;
        return engine.docker(line.split(" ")).ok().strip();
    }

    private static String address(String id) throws IOException, InterruptedException {
        return inspect("{{.NetworkSettings.Networks.bridge.IPAddress}}", id);
    }

    private static String inspect(String template, String id) throws IOException, InterruptedException {
        return engine.docker("inspect", "--format", template, id).ok().strip();
    }

    @Test
    void anActionFromItsPullToItsRemoval() throws IOException, InterruptedException {
        engine.docker("version", "--format", "{{.Client.Version}}").ok();
        engine.docker("pull", action).ok();
        Instant before = Instant.now();
        String id = run("wsk0_1_guest_hello", action, "256m");
        assertThat(id).matches("[0-9a-f]{64}");
        String address = address(id);
        ActionClient client = new ActionClient(address);
        assertThat(client.init(HELLO).path("ok").asBoolean()).isTrue();
        assertThat(client.run(Map.of("name", "bob"), ANSWER).body()).isEqualTo("{\"greeting\": \"Hello bob!\"}");
        logsHaveBothMarkers(id, before);
        filesAreWhereTheInvokerReadsThem(id, address);
        aPausedActionWaits(id, client);
        assertThat(engine.all("wsk0_")).containsExactly(id);
        engine.docker("rm", "-f", id).ok();
        assertThat(engine.all("wsk0_")).isEmpty();
    }

    private static void logsHaveBothMarkers(String id, Instant before) throws IOException, InterruptedException {
        String since = Long.toString(before.getEpochSecond());
        String until = Long.toString(before.plusSeconds(60).getEpochSecond());
        String[] logs = {"logs", id, "--since", since, "--until", until, "--timestamps"};
        Wait.until(ANSWER, "both markers", () -> {
            Shell.Result result = engine.docker(logs);
            return result.out().contains(MARKER) && result.err().contains(MARKER);
        });
        assertThat(engine.docker(logs).ok().lines())
                .allMatch(line -> line.matches("20[0-9-]{8}T[0-9:]{8}\\.[0-9]{9}Z .*"))
                .anyMatch(line -> line.endsWith("Z hello bob"));
    }

    private static void filesAreWhereTheInvokerReadsThem(String id, String address) throws IOException {
        Path directory = engine.containers().resolve(id);
        List<JsonNode> lines = Files.readAllLines(directory.resolve(id + "-json.log")).stream()
                .map(line -> Json.mapper().readTree(line))
                .toList();
        assertThat(lines)
                .filteredOn(line -> line.path("log").asString().equals(MARKER + "\n"))
                .extracting(line -> line.path("stream").asString())
                .containsExactlyInAnyOrder("stdout", "stderr");
        JsonNode description = Json.mapper().readTree(Files.readAllBytes(directory.resolve("config.v2.json")));
        JsonNode bridge = description.path("NetworkSettings").path("Networks").path("bridge");
        assertThat(bridge.path("IPAddress").asString()).isEqualTo(address);
        assertThat(description.path("State").path("OOMKilled").asBoolean(true)).isFalse();
    }

    private static void aPausedActionWaits(String id, ActionClient client) throws IOException, InterruptedException {
        engine.docker("pause", id).ok();
        assertThat(inspect("{{.State.Status}}", id)).isEqualTo("paused");
        assertThatIOException()
                .isThrownBy(() -> client.run(Map.of("name", "late"), Duration.ofMillis(300)))
                .isInstanceOf(HttpTimeoutException.class);
        engine.docker("unpause", id).ok();
        assertThat(client.run(Map.of("name", "eve"), ANSWER).body()).contains("Hello eve!");
        engine.docker("pause", id).ok();
    }

    @Test
    void twentyActionsAtOnce() throws IOException, InterruptedException, ExecutionException {
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(20)) {
            for (int i = 0; i < 20; i++) {
                String name = "wsk0_" + i + "_guest_hello";
                answers.add(threads.submit(() -> {
                    String id = run(name, action, "128m");
                    ActionClient client = new ActionClient(address(id));
                    client.init(HELLO);
                    return client.run(Map.of("name", name), ANSWER).body();
                }));
            }
        }
        for (int i = 0; i < 20; i++) {
            assertThat(answers.get(i).get()).contains("Hello wsk0_" + i + "_guest_hello!");
        }
        assertThat(engine.all("wsk0_")).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void anActionThatTakesTooMuchMemoryIsNoticed() throws IOException, InterruptedException {
        String id = run("wsk0_1_guest_hungry", action, "64m");
        ActionClient client = new ActionClient(address(id));
        client.init(HUNGRY);
        assertThatIOException().isThrownBy(() -> client.run(Map.of(), ANSWER));
        Path description = engine.containers().resolve(id).resolve("config.v2.json");
        Wait.until(
                ANSWER,
                "OOMKilled in " + description,
                () -> Json.mapper()
                        .readTree(Files.readAllBytes(description))
                        .path("State")
                        .path("OOMKilled")
                        .asBoolean());
        assertThat(inspect("{{.State.OOMKilled}}", id)).isEqualTo("true");
        assertThat(inspect("{{.State.Status}}", id)).isEqualTo("exited");
    }

    @Test
    void systemCallsThatAreNotListedAreDeniedToRootToo() throws IOException, InterruptedException {
        String id = run("wsk0_1_guest_curious", action, "128m");
        ActionClient client = new ActionClient(address(id));
        client.init(CURIOUS);
        int denied = 1;
        int absent = 38;
        assertThat(Json.mapper()
                        .readValue(client.run(Map.of(), ANSWER).body(), new TypeReference<Map<String, Integer>>() {}))
                .isEqualTo(Map.of(
                        "io_uring_setup", denied,
                        "open_tree", denied,
                        "clone3", absent,
                        "newUserNamespace", denied,
                        "vsock", denied,
                        "executableStack", denied,
                        "process", 7));
    }

    @Test
    void theImagesUserIsKeptAndSystemCallsAreFiltered() throws IOException, InterruptedException {
        String command =
                "busybox id; busybox grep -e Seccomp: -e CapEff -e CapBnd /proc/self/status; exec busybox sleep 600";
        String image = image("user", Files.createDirectories(work.resolve("user")), "owuser", command);
        String id = run("wsk0_1_guest_user", image, "64m");
        Wait.until(
                ANSWER,
                "four lines",
                () -> engine.docker("logs", id).out().lines().count() >= 4);
        String[] lines = engine.docker("logs", id).ok().split("\n");
        assertThat(lines[0]).startsWith("uid=1234(owuser) gid=1235");
        assertThat(lines[1]).isEqualTo("CapEff:\t0000000000000000");
        // Docker's default without NET_RAW, which is bit 13.
        assertThat(lines[2]).isEqualTo("CapBnd:\t00000000a80405fb");
        assertThat(lines[3]).isEqualTo("Seccomp:\t2");
    }
}
