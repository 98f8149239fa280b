package io.faasimage.system;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.api.image.ImageState;
import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
    /** Those that functions can be built in. */
    static final List<String> RUNTIMES = List.of("python", "node", "php", "ruby");

    private static final Duration START = Duration.ofSeconds(60);
    private static final String OUTPUT_END = "<end of output>";
    private static final int OUTPUT_TRIES = 3;

    final Path dir;
    final Path root;
    final Path run;
    final String ociRegistry;
    private final Path bin;
    private final int servicePort;
    private final int containerds;
    private final List<Daemon> daemons = new ArrayList<>();
    /** Where containerd and its shim are, unless they are the distribution's. */
    private Optional<Path> containerdBin = Optional.empty();

    private List<String> nodeOptions = List.of();
    private List<String> serviceOptions = List.of();
    private boolean predicts;
    private Map<String, String> spans = Map.of();
    private List<String> runtimeNames = List.of();
    private Optional<Certificates> certificates = Optional.empty();
    private Map<String, String> serviceEnvironment = Map.of();
    /** Environment of the programs of this project: in the minute that they live, compiling well does not pay. */
    private Map<String, String> programs = Map.of("FAASIMAGE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");

    private int s3Port;
    private @Nullable Daemon s3;
    private @Nullable Daemon service;
    private @Nullable Daemon node;

    private Cluster(Path dir, int containerds) throws IOException {
        this.containerds = containerds;
        this.dir = dir;
        this.root = Files.createDirectories(dir.resolve("n"));
        this.run = Files.createDirectories(dir.resolve("r"));
        this.bin = Path.of("").toAbsolutePath().resolve("../../docker/bin").normalize();
        this.ociRegistry = "127.0.0.1:" + Ports.free();
        this.servicePort = Ports.free();
    }

    /** Starts everything in a fresh directory. */
    static Cluster start() throws IOException, InterruptedException {
        return start(Mounts.AUTO);
    }

    /** As {@link #start()}, with programs that write their ahead-of-time caches when they end. */
    static Cluster startForTraining() throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        cluster.programs = AheadOfTimeCaches.TRAINING;
        return cluster.startAll(Mounts.AUTO);
    }

    /** As {@link #start()}, with planned images mounted in this way. */
    static Cluster start(Mounts mounts) throws IOException, InterruptedException {
        return new Cluster(Files.createTempDirectory("fi"), 1).startAll(mounts);
    }

    /** As {@link #start()}, with a service that predicts first starts; with the others, traces alone make plans. */
    static Cluster startWithPredictions() throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        cluster.predicts = true;
        return cluster.startAll(Mounts.AUTO);
    }

    /** As {@link #start()}, on the containerd of the folder {@code bin}. */
    static Cluster startOn(Path bin) throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        cluster.containerdBin = Optional.of(bin);
        return cluster.startAll(Mounts.AUTO);
    }

    /** As {@link #start()}, with sockets for several containerds, of which the first is started. */
    static Cluster startFor(int containerds) throws IOException, InterruptedException {
        return new Cluster(Files.createTempDirectory("fi"), containerds).startAll(Mounts.AUTO);
    }

    /** As {@link #start()}, with a fast tier in memory at {@code fast}. */
    static Cluster startWithFastTier() throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        cluster.mountFast();
        cluster.nodeOptions = List.of("--fast-dir", cluster.fast().toString());
        return cluster.startAll(Mounts.AUTO);
    }

    /** As {@link #start()}, with plans that name pieces of large files, and a node that uses them. */
    static Cluster startWithPieces() throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        cluster.serviceOptions = List.of("--faasimage.pieces=true");
        cluster.nodeOptions = List.of("--partial", "yes");
        return cluster.startAll(Mounts.AUTO);
    }

    /** As {@link #start()}, with a node that tells Prometheus of itself at {@code port}. */
    static Cluster startWithMetrics(int port) throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        cluster.nodeOptions = List.of("--metrics", "127.0.0.1:" + port, "--store-budget", "10g");
        return cluster.startAll(Mounts.AUTO);
    }

    /** As {@link #start()}, with a service that only talks TLS to clients with a certificate; the node has no token. */
    static Cluster startWithTls() throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        Certificates made = Certificates.make(Files.createDirectory(cluster.dir.resolve("tls")));
        cluster.certificates = Optional.of(made);
        cluster.serviceOptions = made.serviceOptions();
        cluster.nodeOptions = Stream.concat(
                        made.transport().arguments().stream(), Stream.of("--node-name", Certificates.NODE))
                .toList();
        return cluster.startAll(Mounts.AUTO);
    }

    /** Those of the service and its clients. */
    Certificates certificates() {
        return certificates.orElseThrow();
    }

    /** As {@link #start()}, with service and node telling their spans to the collector at {@code endpoint}. */
    static Cluster startWithSpans(String endpoint) throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        cluster.spans = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint, "OTEL_BSP_SCHEDULE_DELAY", "200");
        return cluster.startAll(Mounts.AUTO);
    }

    /**
     * As {@link #start()}, with a service that builds functions in {@code runtimes} of Debian packages and has
     * {@code more} options.
     */
    static Cluster startWithBuilder(List<String> runtimes, String... more) throws IOException, InterruptedException {
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        List<String> options = new ArrayList<>(List.of(
                "--faasimage.build.registry=" + cluster.ociRegistry + "/functions",
                "--faasimage.build.egress=127.0.0.1",
                "--faasimage.build.runtimes=" + Files.createDirectories(cluster.runtimes()),
                "--faasimage.build.time=2m",
                "--faasimage.build.disk=64MB"));
        options.addAll(List.of(more));
        cluster.serviceOptions = options;
        cluster.runtimeNames = runtimes;
        return cluster.startAll(Mounts.AUTO);
    }

    /** As {@link #start()}, with a service whose blobs are in a bucket of a real S3 server. */
    static Cluster startWithS3() throws IOException, InterruptedException {
        Shell.run("s3/build", Path.of("target/s3").toAbsolutePath().toString()).ok();
        Cluster cluster = new Cluster(Files.createTempDirectory("fi"), 1);
        int port = Ports.free();
        Files.createDirectories(cluster.bucket());
        cluster.serviceOptions = List.of(
                "--faasimage.blobs.store=s3",
                "--faasimage.blobs.s3.bucket=bucket",
                "--faasimage.blobs.s3.prefix=f/",
                "--faasimage.blobs.s3.endpoint=http://127.0.0.1:" + port,
                "--faasimage.blobs.s3.path-style=true");
        cluster.serviceEnvironment = Map.of("AWS_ACCESS_KEY_ID", "system", "AWS_SECRET_ACCESS_KEY", "system-test");
        cluster.s3Port = port;
        try {
            cluster.startS3();
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            cluster.close();
            throw e;
        }
        return cluster.startAll(Mounts.AUTO);
    }

    /** What the bucket holds, as files. */
    Path bucket() {
        return dir.resolve("s3/bucket");
    }

    void startS3() throws IOException, InterruptedException {
        List<String> command = List.of(
                Path.of("target/s3/versitygw").toAbsolutePath().toString(),
                "--quiet",
                "--port",
                "127.0.0.1:" + s3Port,
                "posix",
                dir.resolve("s3").toString());
        s3 = Daemon.start(
                        "S3 server",
                        log("s3"),
                        Map.of("ROOT_ACCESS_KEY", "system", "ROOT_SECRET_KEY", "system-test"),
                        command)
                .await(START, () -> Ports.listens(s3Port));
        daemons.add(s3);
    }

    void killS3() throws InterruptedException {
        Optional.ofNullable(s3).orElseThrow().kill();
    }

    private Path runtimes() {
        return dir.resolve("runtimes");
    }

    /**
     * Makes the runtime images, unless they are cached, and pushes them. One at a time: each takes a minute at first.
     */
    private void pushRuntimes() throws IOException, InterruptedException {
        for (String name : runtimeNames) {
            Shell.run(
                            bin.resolve("../images/build-runtimes.sh").toString(),
                            "--push",
                            ociRegistry,
                            "--into",
                            runtimes().toString(),
                            "--only",
                            name)
                    .ok();
        }
    }

    Path fast() {
        return dir.resolve("f");
    }

    /** Mounts the fast tier, empty. */
    void mountFast() throws IOException, InterruptedException {
        Files.createDirectories(fast());
        Shell.run("mount", "-t", "tmpfs", "-o", "size=64m", "none", fast().toString())
                .ok();
    }

    void unmountFast() throws IOException, InterruptedException {
        Shell.run("umount", "--lazy", fast().toString()).ok();
    }

    private Cluster startAll(Mounts mounts) throws IOException, InterruptedException {
        if (!trains()) {
            AheadOfTimeCaches.make();
        }
        try {
            startContainerd();
            startOciRegistry();
            pushRuntimes();
            startService();
            startNode(mounts);
            return this;
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            close();
            throw e;
        }
    }

    private Path log(String name) {
        return dir.resolve(name + ".log");
    }

    /** Where {@link OtherContainerd}s listen, after the first one. */
    private String containerdSockets() {
        return Stream.concat(
                        Stream.of(containerdSocket()),
                        IntStream.rangeClosed(2, containerds).mapToObj(n -> dir.resolve("x" + n + "/c.sock")))
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
        daemons.add(Daemon.start(
                        "containerd",
                        log("containerd"),
                        Map.of(
                                "PATH",
                                containerdBin.map(bin -> bin + ":" + path).orElse(path)),
                        List.of(program("containerd"), "-c", config.toString()))
                .await(START, () -> ControlServer.isServed(containerdSocket())));
    }

    private String program(String name) {
        return containerdBin.map(bin -> bin.resolve(name).toString()).orElse(name);
    }

    private void startOciRegistry() throws IOException, InterruptedException {
        Path config = Files.writeString(dir.resolve("oci.yml"), """
                version: 0.1
                storage: {filesystem: {rootdirectory: %s/oci}}
                http: {addr: "%s"}
                """.formatted(dir, ociRegistry));
        int port = Integer.parseInt(ociRegistry.substring(ociRegistry.indexOf(':') + 1));
        daemons.add(Daemon.start(
                        "OCI registry",
                        log("oci"),
                        Map.of("OTEL_TRACES_EXPORTER", "none"),
                        List.of("docker-registry", "serve", config.toString()))
                .await(START, () -> Ports.listens(port)));
    }

    void startService() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                bin.resolve("faasimage-registry").toString(),
                "--faasimage.data=" + dir.resolve("d"),
                "--server.port=" + servicePort));
        if (!predicts) {
            command.add("--faasimage.predict=none");
        }
        command.addAll(serviceOptions);
        Map<String, String> environment = new HashMap<>(spans);
        environment.putAll(serviceEnvironment);
        environment.putAll(programs);
        service = Daemon.start("registry-service", log("service"), environment, command)
                .await(START, () -> Ports.listens(servicePort));
    }

    private String serviceUrl() {
        return (certificates.isPresent() ? "https://" : "http://") + serviceAddress();
    }

    /** Host and port of registry-service. */
    String serviceAddress() {
        return "127.0.0.1:" + servicePort;
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
                "--faasimage.nodes=" + run.resolve("node.sock"),
                "--faasimage.state=" + dir.resolve("adapter")));
        command.addAll(List.of(more));
        return Daemon.start("adapter", log("adapter"), spans, command);
    }

    /** How planned images are mounted. */
    enum Mounts {
        AUTO,
        FUSE
    }

    void startNode() throws IOException, InterruptedException {
        startNode(Mounts.AUTO);
    }

    void startNode(Mounts mounts) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(environment());
        environment.putAll(spans);
        environment.putAll(programs);
        node = Daemon.start("node-manager", log("node"), environment, nodeCommand(mounts))
                .await(
                        START,
                        () -> ControlServer.isServed(run.resolve("snapshotter.sock"))
                                && ControlServer.isServed(run.resolve("node.sock")));
        // containerd tries a proxy plugin again after up to three seconds.
        Wait.until(
                START,
                "containerd to reach the snapshotter",
                () -> ctr("snapshots", "--snapshotter", "faasimage", "ls").exit() == 0);
    }

    /** Kills the agent and starts it with these options in the place of those that it had. */
    void restartNode(String... options) throws IOException, InterruptedException {
        killNode();
        nodeOptions = List.of(options);
        startNode();
    }

    private List<String> nodeCommand(Mounts mounts) {
        List<String> command = new ArrayList<>(List.of(
                bin.resolve("faasimage-node").toString(),
                "--root",
                root.toString(),
                "--run",
                run.toString(),
                "--registry",
                serviceUrl(),
                "--containerd",
                containerdSockets(),
                "--gate-command",
                bin.resolve("faasimage-gate").toString(),
                "--mounts",
                mounts.name().toLowerCase(Locale.ROOT),
                "--lookup-limit",
                "5",
                // Each of many nodes would take some seconds of processor time for it.
                "--warm-up",
                trains() ? "yes" : "no"));
        if (!nodeOptions.contains("--enrol-token-file") && certificates.isEmpty()) {
            command.addAll(List.of("--token-file", dir.resolve("d/token").toString()));
        }
        command.addAll(nodeOptions);
        return command;
    }

    void killNode() throws InterruptedException {
        Optional.ofNullable(node).orElseThrow().kill();
    }

    String nodeLog() throws IOException {
        return Files.readString(log("node"));
    }

    /** Environment of the {@code faasimage} command and of {@code ctr}. */
    Map<String, String> environment() throws IOException {
        Path token = dir.resolve("d/token");
        Map<String, String> environment = new HashMap<>(Map.of(
                "FAASIMAGE_URL",
                serviceUrl(),
                "FAASIMAGE_TOKEN",
                Files.exists(token) ? Files.readString(token).strip() : "",
                "FAASIMAGE_NODE",
                run.resolve("node.sock").toString(),
                "CONTAINERD_ADDRESS",
                containerdSocket().toString()));
        certificates.ifPresent(made -> environment.putAll(made.environment()));
        return environment;
    }

    /** A client of the service, with its token; the caller closes it. */
    ServiceClient client() throws IOException {
        ServiceConfig config = ServiceConfig.of(
                URI.create(serviceUrl()),
                Optional.of(Files.readString(dir.resolve("d/token")).strip()));
        return new ServiceClient(
                certificates.isPresent()
                        ? config.withTransport(certificates.get().transport())
                        : config);
    }

    /** Runs the {@code faasimage} command. */
    Shell.Result faasimage(String... arguments) throws IOException, InterruptedException {
        return faasimage(environment(), arguments);
    }

    /** As above, with another environment. */
    Shell.Result faasimage(Map<String, String> other, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(bin.resolve("faasimage").toString());
        command.addAll(List.of(arguments));
        Map<String, String> environment = new HashMap<>(other);
        environment.putAll(programs);
        return Shell.run(environment, command);
    }

    /** Runs the command with {@code --json} and parses what it prints. */
    JsonNode faasimageJson(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--json");
        return Json.mapper().readTree(faasimage(all.toArray(String[]::new)).ok());
    }

    /** Runs {@code ctr}. */
    Shell.Result ctr(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program("ctr")));
        command.addAll(List.of(arguments));
        return Shell.run(environment(), command);
    }

    /** A container's name in containerd: runc and control groups know all containers of a machine by their names. */
    String container(String id) {
        return id + "-" + dir.getFileName();
    }

    /** Starts a container from an image already pulled. */
    void run(String image, String id, String... command) throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of("run", "-d", "--snapshotter", "faasimage", image, container(id)));
        arguments.addAll(List.of(command));
        ctr(arguments.toArray(String[]::new)).ok();
    }

    /** Starts a shell in the host's network namespace, from an image already pulled. */
    void runInHostNetwork(String image, String id, String script) throws IOException, InterruptedException {
        ctr("run", "-d", "--net-host", "--snapshotter", "faasimage", image, container(id), "/bin/sh", "-c", script)
                .ok();
    }

    /** Starts a container that waits, from an image already pulled. */
    void runWaiting(String image, String id) throws IOException, InterruptedException {
        run(image, id, "/bin/sh", "-c", "sleep 600 & wait");
    }

    /**
     * Runs a shell command in a running container. Now and then {@code ctr} loses the output of a process that ends
     * quickly on a busy machine; so the output has an end that is known, and the command is repeated without it.
     */
    Shell.Result exec(String id, String script) throws IOException, InterruptedException {
        String ended = "(" + script + "\n); s=$?; printf %s '" + OUTPUT_END + "'; exit $s";
        Shell.Result result = new Shell.Result(1, "", "not run");
        for (int i = 0; i < OUTPUT_TRIES; i++) {
            result = ctr("task", "exec", "--exec-id", "e" + System.nanoTime(), container(id), "/bin/sh", "-c", ended);
            if (result.out().endsWith(OUTPUT_END)) {
                String out = result.out().substring(0, result.out().length() - OUTPUT_END.length());
                return new Shell.Result(result.exit(), out, result.err());
            }
            if (result.exit() != 0) {
                return result;
            }
        }
        throw new AssertionError("the output of '" + script + "' has no end: " + result);
    }

    /** Ends and removes a container. */
    void remove(String id) throws IOException, InterruptedException {
        end(container(id));
    }

    /** Ends and removes all containers. */
    void removeAll() throws IOException, InterruptedException {
        for (String container : ctr("container", "ls", "-q").out().lines().toList()) {
            end(container);
        }
    }

    private void end(String container) throws IOException, InterruptedException {
        ctr("task", "kill", "-s", "SIGKILL", container);
        Wait.until(Duration.ofSeconds(20), container + " to be removed", () -> {
            ctr("task", "delete", container);
            return ctr("container", "rm", container).exit() == 0;
        });
    }

    /** Ends the gate, which outlives a killed node-manager. */
    private void stopGate() throws IOException {
        Path socket = run.resolve("gate.sock");
        if (ControlServer.isServed(socket)) {
            new ControlClient(socket).call(GateOperations.STOP);
        }
    }

    /** The pid of the running gate. */
    long gatePid() throws IOException {
        return new ControlClient(run.resolve("gate.sock"))
                .call(GateOperations.STATUS)
                .pid();
    }

    /** What {@code faasimage node status --json} prints, without a process for it. */
    JsonNode status() throws IOException {
        NodeStatus status = new ControlClient(run.resolve("node.sock")).call(NodeOperations.STATUS);
        return Json.mapper().valueToTree(status);
    }

    /** Whether an image that was registered under this reference has a plan. */
    boolean isPlanned(String reference) throws IOException {
        try (ServiceClient client = client()) {
            return client.images().stream()
                    .anyMatch(image -> image.name().equals(reference) && image.state() == ImageState.PLANNED);
        }
    }

    /** Those that containerd forgets when a client is killed while it makes a task: they have no container. */
    private void endShims() {
        String socket = containerdSocket().toString();
        ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .filter(words -> List.of(words).containsAll(List.of("-address", socket)))
                        .isPresent())
                .filter(process -> process.info().command().orElse("").contains("containerd-shim"))
                .forEach(ProcessHandle::destroyForcibly);
    }

    private boolean trains() {
        return programs.equals(AheadOfTimeCaches.TRAINING);
    }

    /** A program that is trained writes its cache before it ends. */
    private Duration ending() {
        return Duration.ofSeconds(trains() ? 60 : 10);
    }

    @Override
    public void close() throws IOException {
        try {
            removeAll();
            if (node != null) {
                node.end(ending());
            }
            if (service != null) {
                service.end(ending());
            }
            stopGate();
            for (Daemon daemon : daemons.reversed()) {
                daemon.close();
            }
            endShims();
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
