package io.faasimage.system;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.rest.Json;
import io.faasimage.testing.AheadOfTimeCaches;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Ports;
import io.faasimage.testing.RegistryServer;
import io.faasimage.testing.S3Server;
import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.Closeable;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The real parts on one machine, under one directory with short paths: containerd, an OCI registry, registry-service
 * and a node agent with its gate. {@link #close()} ends them all and leaves no mount behind.
 */
final class Cluster implements AutoCloseable {
    private static final Duration START = Duration.ofSeconds(60);

    final Path dir;
    final Path root;
    final Path run;
    final String ociRegistry;
    final Containers containers;
    final ClusterAgent agent;
    final Path bin;
    private final ClusterOptions options;
    private final List<Closeable> servers = new ArrayList<>();
    private @Nullable Daemon service;

    private Cluster(ClusterOptions options) throws IOException {
        this.options = options;
        this.dir = options.dir;
        this.root = Files.createDirectories(dir.resolve("n"));
        this.run = Files.createDirectories(dir.resolve("r"));
        this.bin = Path.of("").toAbsolutePath().resolve("../../docker/bin").normalize();
        this.ociRegistry = options.ociRegistry;
        this.agent = new ClusterAgent(this, options);
        this.containers = new Containers(
                program("ctr"), containerdSocket(), dir.getFileName().toString());
    }

    /** Starts everything in a fresh directory. */
    static Cluster start() throws IOException, InterruptedException {
        return start(new ClusterOptions());
    }

    /** Starts everything with these options. */
    static Cluster start(ClusterOptions options) throws IOException, InterruptedException {
        if (!options.trains()) {
            CacheTraining.make();
        }
        Cluster cluster = new Cluster(options);
        try {
            cluster.startAll();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll() throws IOException, InterruptedException {
        if (options.s3.isPresent()) {
            servers.add(options.s3.get());
            options.s3.get().start();
        }
        startContainerd();
        servers.add(RegistryServer.start(dir.resolve("oci"), ociRegistry));
        pushRuntimes();
        startService();
        agent.start();
    }

    /** Those of the service and its clients. */
    Certificates certificates() {
        return options.certificates.orElseThrow();
    }

    /** That of the service's blobs. */
    S3Server s3() {
        return options.s3.orElseThrow();
    }

    /**
     * Makes the runtime images, unless they are cached, and pushes them. One at a time: each takes a minute at first.
     */
    private void pushRuntimes() throws IOException, InterruptedException {
        for (String name : options.runtimes) {
            Shell.run(
                            bin.resolve("../images/build-runtimes.sh").toString(),
                            "--push",
                            ociRegistry,
                            "--into",
                            options.runtimesDirectory().toString(),
                            "--only",
                            name)
                    .ok();
        }
    }

    /** The file that says on which base image functions of a language are built. */
    Path runtime(String language) {
        return options.runtimesDirectory().resolve(language + ".yaml");
    }

    /** Of one of its programs. */
    Path log(String name) {
        return dir.resolve(name + ".log");
    }

    /** Where {@link OtherContainerd}s listen, after the first one. */
    String containerdSockets() {
        return Stream.concat(
                        Stream.of(containerdSocket()),
                        IntStream.rangeClosed(2, options.containerds).mapToObj(n -> dir.resolve("x" + n + "/c.sock")))
                .map(Path::toString)
                .collect(Collectors.joining(","));
    }

    Path containerdSocket() {
        return dir.resolve("c.sock");
    }

    private void startContainerd() throws IOException, InterruptedException {
        // The second and third are containerd 2's CRI, the last listens at a path of the whole machine.
        Path config = Files.writeString(dir.resolve("c.toml"), """
                version = 2
                root = "%1$s/c"
                state = "%1$s/s"
                disabled_plugins = [
                  "io.containerd.grpc.v1.cri",
                  "io.containerd.cri.v1.images",
                  "io.containerd.cri.v1.runtime",
                  "io.containerd.nri.v1.nri",
                ]
                [grpc]
                  address = "%2$s"
                [proxy_plugins.faasimage]
                  type = "snapshot"
                  address = "%3$s/snapshotter.sock"
                """.formatted(dir, containerdSocket(), run));
        String path = System.getenv().getOrDefault("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        servers.add(Daemon.start(
                        "containerd",
                        log("containerd"),
                        Map.of(
                                "PATH",
                                options.containerdBin
                                        .map(bin -> bin + ":" + path)
                                        .orElse(path)),
                        List.of(program("containerd"), "-c", config.toString()))
                .await(START, () -> ControlServer.isServed(containerdSocket())));
    }

    private String program(String name) {
        return options.containerdBin.map(bin -> bin.resolve(name).toString()).orElse(name);
    }

    void startService() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                bin.resolve("faasimage-registry").toString(),
                "--faasimage.data=" + dir.resolve("d"),
                "--server.port=" + options.servicePort));
        if (!options.predicts) {
            command.add("--faasimage.predict=none");
        }
        command.addAll(options.service);
        Map<String, String> environment = new HashMap<>(options.spans);
        options.s3.ifPresent(_ -> environment.putAll(S3Server.CREDENTIALS));
        boolean hasCache = options.trains() && AheadOfTimeCaches.isUsable("registry-service");
        environment.putAll(hasCache ? Map.of() : options.programs);
        Path token = dir.resolve("d/token");
        service = Daemon.start("registry-service", log("service"), environment, command)
                .await(START, () -> Files.exists(token) && Ports.listens(options.servicePort));
        if (ControlServer.isServed(agent.socket())) {
            // After a failure the agent sends no request for a while.
            Wait.until(START, "the agent to ask the service again", () -> {
                JsonNode link = agent.status().path("registry");
                return link.path("reachable").asBoolean()
                        && link.path("awayBecause").isMissingNode();
            });
        }
    }

    /** The address at which its clients reach it. */
    String serviceUrl() {
        return (options.certificates.isPresent() ? "https://" : "http://") + serviceAddress();
    }

    /** Host and port of registry-service. */
    String serviceAddress() {
        return "127.0.0.1:" + options.servicePort;
    }

    void killService() throws InterruptedException {
        Optional.ofNullable(service).orElseThrow().kill();
    }

    /** Starts an adapter between a platform and {@code provider}, with {@code more} options; the caller closes it. */
    Daemon startAdapter(String provider, String... more) throws IOException {
        Path secret = Files.writeString(dir.resolve("secret"), "admin");
        List<String> command = new ArrayList<>(List.of(
                bin.resolve("faasimage-adapter").toString(),
                "--faasimage.provider=" + provider,
                "--faasimage.provider-user-file=" + secret,
                "--faasimage.provider-password-file=" + secret,
                "--faasimage.registry=http://" + serviceAddress(),
                "--faasimage.registry-token-file=" + dir.resolve("d/token"),
                "--faasimage.nodes=" + agent.socket(),
                "--faasimage.state=" + dir.resolve("adapter")));
        command.addAll(List.of(more));
        return Daemon.start("adapter", log("adapter"), Map.of(), command);
    }

    /** How planned images are mounted. */
    enum Mounts {
        AUTO,
        FUSE
    }

    /** Environment of the {@code faasimage} command and of the agent. */
    Map<String, String> environment() throws IOException {
        Path token = dir.resolve("d/token");
        Map<String, String> environment = new HashMap<>(Map.of(
                "FAASIMAGE_URL",
                serviceUrl(),
                "FAASIMAGE_TOKEN",
                Files.exists(token) ? Files.readString(token).strip() : "",
                "FAASIMAGE_NODE",
                agent.socket().toString(),
                "CONTAINERD_ADDRESS",
                containerdSocket().toString()));
        options.certificates.ifPresent(made -> environment.putAll(made.environment()));
        return environment;
    }

    /** A client of the service, with its token; the caller closes it. */
    ServiceClient client() throws IOException {
        ServiceConfig config = ServiceConfig.of(
                URI.create(serviceUrl()),
                Optional.of(Files.readString(dir.resolve("d/token")).strip()));
        return new ServiceClient(
                options.certificates.isPresent()
                        ? config.withTransport(options.certificates.get().transport())
                        : config);
    }

    /** Runs the {@code faasimage} command. */
    Shell.Result faasimage(String... arguments) throws IOException, InterruptedException {
        return faasimage(environment(), arguments);
    }

    /** Runs the {@code faasimage} command with another environment. */
    Shell.Result faasimage(Map<String, String> other, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(bin.resolve("faasimage").toString());
        command.addAll(List.of(arguments));
        Map<String, String> environment = new HashMap<>(other);
        environment.putAll(options.programs);
        return Shell.run(environment, command);
    }

    /** Runs the command with {@code --json} and parses its output. */
    JsonNode faasimageJson(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        return Json.mapper().readTree(faasimage(all.toArray(String[]::new)).ok());
    }

    /** Whether an image that was registered under this reference has a plan. */
    boolean isPlanned(String reference) throws IOException {
        try (ServiceClient client = client()) {
            return client.images().stream()
                    .anyMatch(image -> image.name().equals(reference) && image.state() == ImageState.PLANNED);
        }
    }

    /** A program that is trained writes its cache before it ends. */
    private Duration ending() {
        return Duration.ofSeconds(options.trains() ? 60 : 10);
    }

    @Override
    public void close() throws IOException {
        try {
            containers.removeAll();
            agent.end(ending());
            if (service != null) {
                service.end(ending());
            }
            agent.endGate();
            for (Closeable server : servers.reversed()) {
                server.close();
            }
            containers.endShims();
            // Mounts that killed processes left behind, innermost first.
            Files.writeString(dir.resolve("clean.sh"), """
                    awk '$2 ~ "^%1$s/" {print $2}' /proc/self/mounts | tac | while read -r m; do umount -l "$m"; done
                    rm -rf --one-file-system %1$s
                    """.formatted(dir));
            Shell.run("bash", dir.resolve("clean.sh").toString()).ok();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while cleaning up " + dir, e);
        }
    }
}
