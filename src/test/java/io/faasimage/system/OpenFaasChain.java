package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The life of a function through the real OpenFaaS; run by {@link OpenFaasIT} in namespaces of its own. */
final class OpenFaasChain {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String FUNCTION = "fn1.openfaas-fn";

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
        try (Cluster cluster = Cluster.start()) {
            cluster.ctr("ns", "create", "openfaas-fn", "containerd.io/defaults/snapshotter=faasimage")
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
                    System.err.println(cluster.nodeLog());
                    chain.clean();
                }
            }
        }
        if (exit == 0) {
            System.out.println("the whole chain works");
        }
        System.exit(exit);
    }

    /** What faasd and CNI write at fixed paths goes into memory; the network has its loopback device. */
    private static void privatePaths() throws IOException, InterruptedException {
        Shell.run("sh", "-ec", """
                ip link set lo up
                mount -t tmpfs none /mnt
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

    private String image(String version) throws IOException, InterruptedException {
        Path root = work.resolve("root");
        if (!Files.exists(root)) {
            for (String directory : new String[] {"bin", "tmp", "etc", "dev", "proc", "sys"}) {
                Files.createDirectories(root.resolve(directory));
            }
            Files.copy(Path.of("/bin/busybox"), root.resolve("bin/busybox"));
            for (String applet : new String[] {"sh", "httpd"}) {
                Files.createSymbolicLink(root.resolve("bin").resolve(applet), Path.of("busybox"));
            }
            Files.write(root.resolve("etc/large"), new byte[3 << 20]);
        }
        Path app = work.resolve("app-" + version);
        Path www = Files.createDirectories(app.resolve("www/_"));
        Files.writeString(www.resolve("health"), "OK");
        Files.writeString(app.resolve("www/index.html"), "version " + version + "\n");
        TestImage image = new TestImage(Files.createDirectories(work.resolve("layers-" + version)))
                .layer(root)
                .layer(app)
                .command("trap 'exit 0' TERM; httpd -f -p 8080 -h /www & wait");
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
        awaitPlanned(first);

        scaleToZeroAndBack();

        say(faas.cli("deploy", "--image", second, "--name", "fn1", "--secret", "key")
                .ok()
                .strip());
        awaitVersion("2");
        say("first answer of version 2");
        describesAs(second);
        awaitPlanned(second);

        removed();
        cluster.ctr("-n", "openfaas-fn", "image", "rm", "--sync", first, second);
        faas.cli("deploy", "--image", second, "--name", "fn1").ok();
        awaitVersion("2");
        say("first answer by plan");
        assertThat(content()).as("manifest and config alone were downloaded").hasSize(2);
        assertThat(faas.cli("logs", "fn1", "--follow=false").exit()).isIn(0, 1);
        assertThat(faas.cli("list").ok()).contains("fn1");
        removed();
        backOut(first);
    }

    /** docs/openfaas.md, "Turn it off": without the label, past the adapter, everything is as it was before. */
    private void backOut(String image) throws IOException, InterruptedException {
        cluster.ctr("ns", "label", "openfaas-fn", "containerd.io/defaults/snapshotter=")
                .ok();
        String deployment = "{\"service\":\"fn1\",\"image\":\"" + image + "\"}";
        assertThat(faas.call(8081, "POST", "/system/functions", deployment).statusCode())
                .isEqualTo(200);
        awaitVersion("1");
        assertThat(cluster.ctr("-n", "openfaas-fn", "container", "info", "fn1").ok())
                .contains("\"Snapshotter\": \"overlayfs\"");
        say("backed out: on overlayfs");
        faas.cli("remove", "fn1").ok();
    }

    private List<String> content() throws IOException, InterruptedException {
        return cluster.ctr("-n", "openfaas-fn", "content", "ls", "-q")
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
        assertThat(cluster.ctr("-n", "openfaas-fn", "image", "ls", "-q").ok()).contains(image);
    }

    private void awaitPlanned(String image) throws IOException, InterruptedException {
        Wait.until(LIMIT, "the plan of " + image, () -> {
            for (JsonNode function : cluster.faasimageJson("functions")) {
                if (function.path("name").asString("").equals(FUNCTION)
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
        assertThat(cluster.ctr("-n", "openfaas-fn", "task", "ls").ok()).contains("PAUSED");
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
        cluster.ctr("-n", "openfaas-fn", "task", "kill", "-s", "SIGKILL", "fn1");
        cluster.ctr("-n", "openfaas-fn", "task", "delete", "-f", "fn1");
        cluster.ctr("-n", "openfaas-fn", "container", "rm", "fn1");
    }
}
