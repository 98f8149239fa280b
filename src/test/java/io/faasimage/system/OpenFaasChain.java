package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.rest.Json;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import tools.jackson.databind.JsonNode;

/** The life of a function through the real OpenFaaS; run by {@link OpenFaasIT} in namespaces of its own. */
final class OpenFaasChain {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String FUNCTION = "fn1.openfaas-fn";
    private static final int SHARED = 4 << 20;
    private static final int CHANGED = 1 << 20;

    private final Cluster cluster;
    private final OpenFaas faas;
    private final Path work;
    private final long started = System.nanoTime();

    private OpenFaasChain(Cluster cluster, OpenFaas faas) {
        this.cluster = cluster;
        this.faas = faas;
        this.work = cluster.dir.resolve("images");
    }

    /** Ends with 0 when everything is as it should be. */
    public static void main(String[] arguments) throws Exception {
        int exit = 1;
        privatePaths();
        try (Cluster cluster = Cluster.start(ClusterOptions.runtimes(List.of("python", "node")))) {
            cluster.containers
                    .ctr("ns", "create", "openfaas-fn", "containerd.io/defaults/snapshotter=faasimage")
                    .ok();
            try (OpenFaas faas = new OpenFaas(cluster)) {
                OpenFaasChain chain = new OpenFaasChain(cluster, faas);
                try {
                    chain.run();
                    exit = 0;
                } catch (AssertionError | IOException | RuntimeException e) {
                    System.err.println(e);
                    for (String log : List.of("gateway", "adapter", "faasd")) {
                        System.err.println(log + ":\n" + faas.log(log));
                    }
                    System.err.println(cluster.agent.log());
                    chain.clean();
                }
            }
        }
        if (exit == 0) {
            System.out.println("the whole chain works");
        }
        System.exit(exit);
    }

    /** The files that faasd and CNI write at fixed paths go into memory; the network has its loopback device. */
    private static void privatePaths() throws IOException, InterruptedException {
        Shell.run("sh", "-ec", """
                ip link set lo up
                for path in etc var/lib usr/local/bin; do
                  mkdir -p /mnt/upper/$path /mnt/workdir/$path
                  mount -t overlay -o lowerdir=/$path,upperdir=/mnt/upper/$path,workdir=/mnt/workdir/$path none /$path
                done
                mount -t tmpfs none /opt
                mount -t tmpfs none /run
                mkdir -p /opt/cni /var/lib/faasd/secrets
                ln -s /usr/lib/cni /opt/cni/bin
                ln -sf "$FAASD" /usr/local/bin/faasd
                """).ok();
    }

    private void say(String what) {
        System.out.printf("%6.1f s  %s%n", (System.nanoTime() - started) / 1e9, what);
    }

    private static byte[] random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private String image(String version) throws IOException, InterruptedException {
        Path root = work.resolve("root");
        if (!Files.exists(root)) {
            for (String directory : new String[] {"bin", "tmp", "etc", "dev", "proc", "sys"}) {
                Files.createDirectories(root.resolve(directory));
            }
            Files.copy(Path.of("/bin/busybox"), root.resolve("bin/busybox"));
            for (String applet : new String[] {"sh", "cat", "httpd"}) {
                Files.createSymbolicLink(root.resolve("bin").resolve(applet), Path.of("busybox"));
            }
            Files.write(root.resolve("etc/large"), new byte[3 << 20]);
            Files.write(root.resolve("etc/shared"), random(SHARED, 0));
        }
        Path app = work.resolve("app-" + version);
        Path www = Files.createDirectories(app.resolve("www/_"));
        Files.writeString(www.resolve("health"), "OK");
        Files.writeString(app.resolve("www/index.html"), "version " + version + "\n");
        Files.write(app.resolve("www/own"), random(CHANGED, Integer.parseInt(version) + 1));
        TestImage image = new TestImage(Files.createDirectories(work.resolve("layers-" + version)))
                .layer(root)
                .layer(app)
                .command("cat /etc/shared /www/own > /dev/null; trap 'exit 0' TERM; httpd -f -p 8080 -h /www & wait");
        String digest = image.push(cluster.ociRegistry, "fn1", version).toString();
        say("pushed version " + version + ", " + digest);
        return cluster.ociRegistry + "/fn1:" + version;
    }

    private void run() throws IOException, InterruptedException {
        String first = image("1");
        String second = image("2");
        // A fresh service answers its first request late, and the first start would be over by then.
        cluster.faasimage("register", image("0"), "--name", "another").ok();
        faas.cli("login", "--username", "admin", "--password", "secret").ok();
        faas.cli("secret", "create", "key", "--from-literal", "top secret").ok();
        assertThat(faas.cli("secret", "list").ok()).contains("key");

        say(faas.cli("deploy", "--image", first, "--name", "fn1", "--secret", "key")
                .ok()
                .strip());
        awaitVersion("1");
        say("first answer of version 1");
        describesAs(first);
        awaitPlanned("fn1", first);

        scaleToZeroAndBack();

        say(faas.cli("deploy", "--image", second, "--name", "fn1", "--secret", "key")
                .ok()
                .strip());
        awaitVersion("2");
        say("first answer of version 2");
        describesAs(second);
        awaitPlanned("fn1", second);

        removed();
        cluster.containers.ctr("-n", "openfaas-fn", "image", "rm", "--sync", first, second);
        forgotten(first);
        long whole = movedBy(first, "1");
        assertThat(content()).as("manifest and config alone were downloaded").hasSize(2);
        say("first answer by plan, " + whole + " bytes moved");
        assertThat(whole).isGreaterThan(SHARED + CHANGED);
        long update = movedBy(second, "2");
        say("updated by plan, " + update + " bytes moved");
        firstProcessIsRecorded();
        assertThat(content()).as("and those of the update").hasSize(4);
        assertThat(update).as("the file that changed, documents, requests").isBetween((long) CHANGED, CHANGED * 3L / 2);
        assertThat(faas.cli("logs", "fn1", "--follow=false").exit()).isIn(0, 1);
        assertThat(faas.cli("list").ok()).contains("fn1");
        removed();
        built("python", "{\"hello\": \"you\"}");
        built("node", "{\"hello\":\"you\"}");
        backOut(first);
    }

    /** Of starts that were not traced: by containerd's events. */
    private void firstProcessIsRecorded() throws IOException, InterruptedException {
        Wait.until(LIMIT, "a record of when the function started", () -> {
            for (JsonNode start : cluster.faasimageJson("starts")) {
                JsonNode phases = Json.mapper()
                        .valueToTree(
                                cluster.client().starts().get(start.path("id").asString()))
                        .path("record")
                        .path("phases");
                if (start.path("class").asString("").equals("lazy")
                        && phases.path("firstProcess").asLong(-1)
                                >= phases.path("mayStart").asLong(Long.MAX_VALUE)) {
                    return true;
                }
            }
            return false;
        });
        say("the first process is in the record");
    }

    /** The node holds nothing any more. */
    private void forgotten(String first) throws IOException, InterruptedException {
        Wait.until(
                LIMIT,
                "plans and objects of " + first + " to go",
                () -> cluster.faasimageJson("node", "prune", "--all")
                                .path("keptPlans")
                                .asInt(1)
                        == 0);
    }

    /**
     * Deploys and awaits the first answer and the end of the pull; the bytes that all of it moved on this network's one
     * device.
     */
    private long movedBy(String image, String version) throws IOException, InterruptedException {
        long before = moved();
        faas.cli("deploy", "--image", image, "--name", "fn1").ok();
        awaitVersion(version);
        Wait.until(
                LIMIT,
                "the end of the pull",
                () -> cluster.agent.status().path("pulls").path("running").isEmpty());
        return moved() - before;
    }

    /**
     * Containers have a bridge of their own: the counted bytes are those of registries, containerd, node, gateway and
     * the answers' way back.
     */
    private static long moved() throws IOException {
        return Files.readAllLines(Path.of("/proc/net/dev")).stream()
                .map(String::strip)
                .filter(line -> line.startsWith("lo:"))
                .mapToLong(line -> Long.parseLong(line.substring(3).strip().split(" +")[0]))
                .sum();
    }

    /** docs/openfaas.md, "Functions from code": a template, built, deployed and called. */
    private void built(String runtime, String answer) throws IOException, InterruptedException {
        String name = "built-" + runtime;
        BuiltFunctions functions = new BuiltFunctions(cluster, work);
        String image = functions
                .build(functions.template(runtime, name), runtime)
                .path("image")
                .asString();
        faas.cli("deploy", "--image", image, "--name", name).ok();
        Wait.until(LIMIT, name + " to answer", () -> {
            HttpResponse<String> response = faas.call("GET", "/function/" + name + "/?name=you", "");
            return response.statusCode() == 200 && response.body().equals(answer);
        });
        say("first answer of " + image);
        awaitPlanned(name, image);
        faas.cli("remove", name).ok();
    }

    /** docs/openfaas.md, "Turn it off": without the label, past the adapter, everything is as it was before. */
    private void backOut(String image) throws IOException, InterruptedException {
        cluster.containers
                .ctr("ns", "label", "openfaas-fn", "containerd.io/defaults/snapshotter=")
                .ok();
        String deployment = "{\"service\":\"fn1\",\"image\":\"" + image + "\"}";
        assertThat(faas.call(8081, "POST", "/system/functions", deployment).statusCode())
                .isEqualTo(200);
        awaitVersion("1");
        assertThat(cluster.containers
                        .ctr("-n", "openfaas-fn", "container", "info", "fn1")
                        .ok())
                .contains("\"Snapshotter\": \"overlayfs\"");
        say("backed out: on overlayfs");
        faas.cli("remove", "fn1").ok();
    }

    private List<String> content() throws IOException, InterruptedException {
        return cluster.containers
                .ctr("-n", "openfaas-fn", "content", "ls", "-q")
                .ok()
                .lines()
                .toList();
    }

    private void awaitVersion(String version) throws IOException, InterruptedException {
        Wait.until(LIMIT, "version " + version + " to answer", () -> {
            HttpResponse<String> answer = faas.call("GET", "/function/fn1/", "");
            return answer.statusCode() == 200 && answer.body().equals("version " + version + "\n");
        });
    }

    /** The user's own names everywhere. */
    private void describesAs(String image) throws IOException, InterruptedException {
        assertThat(faas.cli("describe", "fn1").ok()).contains(image);
        assertThat(cluster.containers
                        .ctr("-n", "openfaas-fn", "image", "ls", "-q")
                        .ok())
                .contains(image);
    }

    private void awaitPlanned(String name, String image) throws IOException, InterruptedException {
        Wait.until(LIMIT, "the plan of " + image, () -> {
            for (JsonNode function : cluster.faasimageJson("functions")) {
                if (function.path("name").asString("").equals(name + ".openfaas-fn")
                        && function.path("image").asString("").equals(image)) {
                    return function.path("state").asString("").equals("PLANNED");
                }
            }
            return false;
        });
        say("planned: its first start was traced");
    }

    private void scaleToZeroAndBack() throws IOException, InterruptedException {
        String path = "/system/scale-function/fn1?namespace=openfaas-fn";
        // The gateway makes one replica of none; who scales to zero asks the provider, which is the adapter to it.
        assertThat(faas.call(8083, "POST", path, "{\"serviceName\":\"fn1\",\"replicas\":0}")
                                .statusCode()
                        / 100)
                .isEqualTo(2);
        assertThat(cluster.containers.ctr("-n", "openfaas-fn", "task", "ls").ok())
                .contains("PAUSED");
        awaitVersion("1");
        say("answered after scale to zero");
        Wait.until(
                LIMIT, "the hint to the node", () -> faas.metrics().contains("faasimage_adapter_hints_sent_total 1.0"));
    }

    private void removed() throws IOException, InterruptedException {
        faas.cli("remove", "fn1").ok();
        Wait.until(
                LIMIT, "the release", () -> !cluster.faasimage("functions").ok().contains(FUNCTION));
        say("removed and released");
    }

    /** After a failure: faasd's containers must not outlive the test. */
    private void clean() throws IOException, InterruptedException {
        for (String name : cluster.containers
                .ctr("-n", "openfaas-fn", "container", "ls", "-q")
                .ok()
                .lines()
                .toList()) {
            cluster.containers.ctr("-n", "openfaas-fn", "task", "kill", "-s", "SIGKILL", name);
            cluster.containers.ctr("-n", "openfaas-fn", "task", "delete", "-f", name);
            cluster.containers.ctr("-n", "openfaas-fn", "container", "rm", name);
        }
    }
}
