package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.faasimage.api.Json;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;

/**
 * The docker command lines of OpenWhisk 2.0.0's invoker, one after the other, and the action protocol with a real
 * action's image.
 */
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
     * What each call fails with; 0 when it does not. The numbers are those of every architecture; calls without a
     * wrapper have one.
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
    private static DockerCommand invoker;
    private static String action;

    @BeforeAll
    static void startCluster() throws IOException, InterruptedException {
        cluster = Cluster.start();
        invoker = new DockerCommand(cluster);
        action = action();
        cluster.faasimage("register", action, "--name", "hello").ok();
        JsonNode traced = cluster.faasimageJson("trace", action, "--limit", "30");
        assertThat(traced.path("image").path("state").asString()).isEqualTo("PLANNED");
        invoker.docker("pull", action).ok();
        assertThat(invoker.content()).as("no layer was downloaded").hasSize(DOCUMENTS);
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
        if (invoker != null) {
            invoker.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @AfterEach
    void removeContainers() throws IOException, InterruptedException {
        remove(invoker.all("wsk0_"));
        assertThat(invoker.remains()).isEmpty();
    }

    private static void remove(List<String> ids) throws IOException, InterruptedException {
        if (!ids.isEmpty()) {
            List<String> command = new ArrayList<>(List.of("rm", "-f"));
            command.addAll(ids);
            invoker.docker(command).ok();
        }
    }

    @Test
    void anActionFromItsPullToItsRemoval() throws IOException, InterruptedException {
        assertThat(invoker.docker("version", "--format", "{{.Client.Version}}").ok())
                .matches("[0-9.]+\n");
        invoker.docker("pull", action).ok();
        Instant before = Instant.now();
        String id = invoker.run("wsk0_1_guest_hello", action, "256m").ok().strip();
        assertThat(id).matches("[0-9a-f]{64}");
        String address = invoker.address(id);
        ActionClient client = new ActionClient(address);
        assertThat(client.init(HELLO).path("ok").asBoolean()).isTrue();
        assertThat(client.run(Map.of("name", "bob"), ANSWER).body()).isEqualTo("{\"greeting\": \"Hello bob!\"}");
        logsHaveBothMarkers(id, before);
        filesAreThoseOfDocker(id, address);
        aPausedActionWaits(id, client);
        assertThat(invoker.all("wsk0_")).containsExactly(id);
        invoker.docker("rm", "-f", id).ok();
        assertThat(invoker.all("wsk0_")).isEmpty();
    }

    private static void logsHaveBothMarkers(String id, Instant before) throws IOException, InterruptedException {
        String since = Long.toString(before.getEpochSecond());
        String until = Long.toString(before.plusSeconds(60).getEpochSecond());
        String[] logs = {"logs", id, "--since", since, "--until", until, "--timestamps"};
        Wait.until(ANSWER, "both markers", () -> {
            Shell.Result result = invoker.docker(logs);
            return result.out().contains(MARKER) && result.err().contains(MARKER);
        });
        assertThat(invoker.docker(logs).ok().lines())
                .allMatch(line -> line.matches("20[0-9-]{8}T[0-9:]{8}\\.[0-9]{9}Z .*"))
                .anyMatch(line -> line.endsWith("Z hello bob"));
        assertThat(invoker.docker("logs", id, "--since", until).ok()).isEmpty();
    }

    /** What the invoker reads by itself, at places that Docker made known. */
    private static void filesAreThoseOfDocker(String id, String address) throws IOException {
        Path directory = invoker.containers().resolve(id);
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
        invoker.docker("pause", id).ok();
        assertThat(status(id)).isEqualTo("paused");
        assertThatIOException()
                .isThrownBy(() -> client.run(Map.of("name", "late"), Duration.ofMillis(300)))
                .isInstanceOf(HttpTimeoutException.class);
        Shell.Result again = invoker.docker("pause", id);
        assertThat(again.exit()).isEqualTo(1);
        assertThat(again.err()).contains("already paused");
        invoker.docker("unpause", id).ok();
        assertThat(client.run(Map.of("name", "eve"), ANSWER).body()).contains("Hello eve!");
        invoker.docker("pause", id).ok();
    }

    private static String status(String id) throws IOException, InterruptedException {
        return invoker.docker("inspect", "--format", "{{.State.Status}}", id)
                .ok()
                .strip();
    }

    @Test
    void theCommandInThePlaceOfDockers() throws IOException, InterruptedException {
        Path bin = Path.of("../../docker/bin").toAbsolutePath().normalize();
        Path home = Files.createDirectory(work.resolve("home"));
        Files.createSymbolicLink(home.resolve("bin"), bin);
        Files.createSymbolicLink(
                home.resolve("docker-command"),
                bin.resolve("../../docker-command/target").normalize());
        Path docker = Files.createFile(work.resolve("docker"));
        String script = "mount --bind " + bin.resolve("faasimage-docker") + " " + docker + " && " + docker
                + " version --format '{{.Client.Version}}'";
        Map<String, String> environment = Map.of(
                "FAASIMAGE_HOME",
                home.toString(),
                "FAASIMAGE_DOCKER",
                invoker.socket().toString());
        assertThat(Shell.run(environment, List.of("unshare", "--mount", "sh", "-c", script))
                        .ok())
                .matches("[0-9.]+\n");
    }

    @Test
    void twentyActionsAtOnce() throws IOException, InterruptedException, ExecutionException {
        List<Future<String>> answers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(20)) {
            for (int i = 0; i < 20; i++) {
                String name = "wsk0_" + i + "_guest_hello";
                answers.add(threads.submit(() -> {
                    String id = invoker.run(name, action, "128m").ok().strip();
                    ActionClient client = new ActionClient(invoker.address(id));
                    client.init(HELLO);
                    return client.run(Map.of("name", name), ANSWER).body();
                }));
            }
        }
        for (int i = 0; i < 20; i++) {
            assertThat(answers.get(i).get()).contains("Hello wsk0_" + i + "_guest_hello!");
        }
        assertThat(invoker.all("wsk0_")).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void anActionThatTakesTooMuchMemoryIsTold() throws IOException, InterruptedException {
        String id = invoker.run("wsk0_1_guest_hungry", action, "64m").ok().strip();
        ActionClient client = new ActionClient(invoker.address(id));
        client.init(HUNGRY);
        assertThatIOException().isThrownBy(() -> client.run(Map.of(), ANSWER));
        Path description = invoker.containers().resolve(id).resolve("config.v2.json");
        Wait.until(
                ANSWER,
                "OOMKilled in " + description,
                () -> Json.mapper()
                        .readTree(Files.readAllBytes(description))
                        .path("State")
                        .path("OOMKilled")
                        .asBoolean());
        assertThat(invoker.docker("inspect", id, "--format", "{{.State.OOMKilled}}")
                        .ok())
                .isEqualTo("true\n");
        assertThat(status(id)).isEqualTo("exited");
    }

    @Test
    void systemCallsThatAreNotListedAreDeniedToRootToo() throws IOException, InterruptedException {
        String id = invoker.run("wsk0_1_guest_curious", action, "128m").ok().strip();
        ActionClient client = new ActionClient(invoker.address(id));
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
        String id = invoker.run("wsk0_1_guest_user", image, "64m").ok().strip();
        Wait.until(
                ANSWER,
                "four lines",
                () -> invoker.docker("logs", id).out().lines().count() >= 4);
        String[] lines = invoker.docker("logs", id).ok().split("\n");
        assertThat(lines[0]).startsWith("uid=1234(owuser) gid=1235");
        assertThat(lines[1]).isEqualTo("CapEff:\t0000000000000000");
        // Docker's default without NET_RAW, which is bit 13.
        assertThat(lines[2]).isEqualTo("CapBnd:\t00000000a80405fb");
        assertThat(lines[3]).isEqualTo("Seccomp:\t2");
    }

    @Test
    void whatIsWrongIsRefusedAsDockerDoesIt() throws IOException, InterruptedException {
        refused(1, "not a command", "exec", "x");
        refused(125, "unknown flag: --privileged", "run", "-d", "--privileged", action);
        refused(125, "", "run", "-d", cluster.ociRegistry + "/nothing:1");
        refused(125, "invalid reference format", "run", "-d", "a b");
        refused(1, "", "pull", cluster.ociRegistry + "/nothing:1");
        refused(1, "No such container: nobody", "pause", "nobody");
        refused(1, "No such container: nobody", "logs", "nobody");
        assertThat(invoker.docker("rm", "-f", "nobody").exit()).isZero();

        String id = invoker.run("wsk0_1_guest_hello", action, "128m").ok().strip();
        refused(125, "is already in use by container \"" + id, "run", "-d", "--name", "wsk0_1_guest_hello", action);
        refused(1, "running container", "rm", id);
    }

    private static void refused(int exit, String message, String... arguments)
            throws IOException, InterruptedException {
        Shell.Result result = invoker.docker(arguments);
        assertThat(result.exit()).as(result.err()).isEqualTo(exit);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains(message).isNotBlank();
    }

    @Test
    void aContainerWhoseCommandIsNotThereIsMadeAndTold() throws IOException, InterruptedException {
        Shell.Result result = invoker.docker("run", "-d", "--name", "wsk0_1_guest_broken", action, "/bin/nothing");
        assertThat(result.exit()).as(result.err()).isEqualTo(127);
        assertThat(result.out().strip()).matches("[0-9a-f]{64}");
        assertThat(invoker.all("wsk0_")).containsExactly(result.out().strip());
    }

    @Test
    void aKilledDaemonLeavesNothingThatCannotBeSeenAndRemoved() throws IOException, InterruptedException {
        String live = invoker.run("wsk0_live", action, "128m").ok().strip();
        String address = invoker.address(live);
        ActionClient client = new ActionClient(address);
        client.init(HELLO);
        int before = invoker.remains().size();
        for (int round = 0; round < 4; round++) {
            List<Future<Shell.Result>> runs = new ArrayList<>();
            try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
                for (int i = 0; i < 4; i++) {
                    String name = "wsk0_" + round + "_" + i;
                    runs.add(threads.submit(() -> invoker.run(name, action, "64m")));
                }
                // Each round is cut at a later step: every container adds up to seven things.
                int enough = before + 1 + 5 * round;
                Wait.until(ANSWER, "some step", () -> invoker.remains().size() >= enough);
                invoker.kill();
            }
            invoker.restart();
            assertThat(runs).allMatch(Future::isDone);
            remove(invoker.all("wsk0_" + round + "_"));
            assertThat(invoker.remains())
                    .allMatch(remain -> remain.contains(live.substring(0, 12)) || remain.endsWith("/" + address));
        }
        assertThat(client.run(Map.of("name", "survivor"), ANSWER).body()).contains("Hello survivor!");
        Wait.until(
                ANSWER,
                "the log to go on",
                () -> invoker.docker("logs", live).out().contains("hello survivor"));
    }
}
