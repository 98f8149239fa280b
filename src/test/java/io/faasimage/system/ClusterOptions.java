package io.faasimage.system;

import io.faasimage.testing.AheadOfTimeCaches;
import io.faasimage.testing.Ports;
import io.faasimage.testing.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The options of the parts of one {@link Cluster}, with its directory and its ports; each is for one cluster. */
final class ClusterOptions {
    final Path dir = Files.createTempDirectory("fi");
    final String ociRegistry = "127.0.0.1:" + Ports.free();
    final int servicePort = Ports.free();

    Cluster.Mounts mounts = Cluster.Mounts.AUTO;
    /** The number of containerds whose sockets the agent gets. */
    int containerds = 1;
    /** The folder of containerd and its shim, unless they are the distribution's. */
    Optional<Path> containerdBin = Optional.empty();

    List<String> node = List.of();
    List<String> service = List.of();
    /** With a service that does not predict, traces alone make plans. */
    boolean predicts;

    /** For service and node. */
    Map<String, String> spans = Map.of();
    /** Those whose base images are pushed. */
    List<String> runtimes = List.of();

    Optional<Certificates> certificates = Optional.empty();
    Optional<S3Server> s3 = Optional.empty();
    /** Environment of the programs of this project: in the minute that they live, compiling well does not pay. */
    Map<String, String> programs = Map.of("FAASIMAGE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");

    ClusterOptions() throws IOException {}

    /** Programs that write their ahead-of-time caches when they end. */
    static ClusterOptions training() throws IOException {
        ClusterOptions options = new ClusterOptions();
        options.programs = AheadOfTimeCaches.TRAINING;
        return options;
    }

    /** Planned images are mounted in this way. */
    static ClusterOptions mounts(Cluster.Mounts mounts) throws IOException {
        ClusterOptions options = new ClusterOptions();
        options.mounts = mounts;
        return options;
    }

    /** A service that predicts first starts. */
    static ClusterOptions predictions() throws IOException {
        ClusterOptions options = new ClusterOptions();
        options.predicts = true;
        return options;
    }

    /** The containerd of the folder {@code bin}. */
    static ClusterOptions containerd(Path bin) throws IOException {
        ClusterOptions options = new ClusterOptions();
        options.containerdBin = Optional.of(bin);
        return options;
    }

    /** Sockets for several containerds, of which the first is started. */
    static ClusterOptions containerds(int count) throws IOException {
        ClusterOptions options = new ClusterOptions();
        options.containerds = count;
        return options;
    }

    /** A node whose metrics are at {@code port}. */
    static ClusterOptions metrics(int port) throws IOException {
        ClusterOptions options = new ClusterOptions();
        options.node = List.of("--metrics", "127.0.0.1:" + port, "--store-budget", "10g");
        return options;
    }

    /** A service that only talks TLS to clients with a certificate; the node has no token. */
    static ClusterOptions tls() throws IOException, InterruptedException {
        ClusterOptions options = new ClusterOptions();
        Certificates made = Certificates.make(Files.createDirectory(options.dir.resolve("tls")));
        options.certificates = Optional.of(made);
        options.service = made.serviceOptions();
        options.node = Stream.concat(made.transport().arguments().stream(), Stream.of("--node-name", Certificates.NODE))
                .toList();
        return options;
    }

    /** The service sends spans to the collector at {@code endpoint}. */
    static ClusterOptions spans(String endpoint) throws IOException {
        ClusterOptions options = new ClusterOptions();
        options.spans = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint, "OTEL_BSP_SCHEDULE_DELAY", "200");
        return options;
    }

    /** Base images of {@code runtimes}, of Debian packages, in the OCI registry. */
    static ClusterOptions runtimes(List<String> runtimes) throws IOException {
        ClusterOptions options = new ClusterOptions();
        options.runtimes = runtimes;
        return options;
    }

    /** A service whose blobs are in a bucket of a real S3 server. */
    static ClusterOptions s3() throws IOException, InterruptedException {
        ClusterOptions options = new ClusterOptions();
        S3Server server = new S3Server(options.dir);
        options.s3 = Optional.of(server);
        options.service = server.settings("f").entrySet().stream()
                .map(setting -> "--" + setting.getKey() + "=" + setting.getValue())
                .toList();
        return options;
    }

    /** The directory with the descriptions of the pushed runtimes. */
    Path runtimesDirectory() {
        return dir.resolve("runtimes");
    }

    boolean trains() {
        return programs.equals(AheadOfTimeCaches.TRAINING);
    }
}
