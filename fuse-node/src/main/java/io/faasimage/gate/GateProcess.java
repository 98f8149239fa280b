package io.faasimage.gate;

import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryConfig;
import io.faasimage.api.control.ControlServer;
import io.faasimage.gate.fetch.Agent;
import io.faasimage.gate.fetch.AgentSocket;
import io.faasimage.gate.fetch.FetchStatus;
import io.faasimage.gate.fetch.ObjectFetcher;
import io.faasimage.gate.fetch.RegistrySource;
import io.faasimage.gate.fuse.GateMount;
import io.faasimage.gate.image.ImageFiles;
import io.faasimage.gate.image.MetadataImages;
import io.faasimage.store.FastTier;
import io.faasimage.store.ObjectStore;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/**
 * A gate with all its parts, from mount to control socket. The control socket answers when the gate is ready.
 */
public final class GateProcess implements AutoCloseable {
    private static final Logger LOG = System.getLogger(GateProcess.class.getName());
    /** Metadata images that stay mapped; one costs address space and no heap. */
    private static final int MOST_IMAGES = 128;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);

    private final GateConfig config;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Gate gate;
    private final ObjectFetcher fetcher;
    private final GateMount mount;
    private final Optional<Images> images;
    private volatile boolean stopWanted;

    /** The mount of images, on a kernel that cannot mount them itself. */
    private record Images(Path path, ImageFiles files, GateMount mount) {}

    /** Starts everything; on failure nothing is left behind. */
    public GateProcess(GateConfig config) throws IOException {
        this.config = config;
        try {
            ObjectStore store = part(ObjectStore.open(
                    config.store(), config.fast().map(directory -> new FastTier(directory, 0)), "gate"));
            Duration answer = config.limits().stall();
            Duration connect = answer.compareTo(CONNECT_TIMEOUT) < 0 ? answer : CONNECT_TIMEOUT;
            RegistryClient registry =
                    part(new RegistryClient(RegistryConfig.of(config.registry(), config.token()::value)
                            .withTimeouts(connect, answer)
                            .withSilence(answer)));
            fetcher = part(new ObjectFetcher(
                    store, agent(config), new RegistrySource(registry, config.token()), config.limits()));
            gate = new Gate(store, fetcher);
            mount = part(GateMount.start(config.mount(), gate::lookup));
            images = config.images().isEmpty()
                    ? Optional.empty()
                    : Optional.of(serveImages(config.images().get(), store));
            part(ControlServer.start(config.control(), this::handle));
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
        CompletableFuture<Integer> _ = mount.ended().whenComplete((code, failure) -> over.countDown());
        images.ifPresent(served -> {
            CompletableFuture<Integer> _ = served.mount().ended().whenComplete((code, failure) -> over.countDown());
        });
        LOG.log(Level.INFO, "serving: " + config);
    }

    private static Agent agent(GateConfig config) {
        return config.agent()
                .<Agent>map(socket -> new AgentSocket(socket, config.limits()))
                .orElseGet(Agent::none);
    }

    private Images serveImages(Path directory, ObjectStore store) throws IOException {
        MetadataImages metadata = new MetadataImages(config.store().resolve("metadata"), MOST_IMAGES);
        ImageFiles files = new ImageFiles(metadata, store, fetcher);
        return new Images(directory, files, part(GateMount.startImages(directory, files)));
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    /** Waits until the gate has been told to stop; false when the mount was taken from it. */
    public boolean awaitEnd() throws InterruptedException {
        over.await();
        return stopWanted;
    }

    private Object handle(String command, JsonNode request, Consumer<Object> events) throws IOException {
        return switch (command) {
            case "status" -> status();
            case "stop" -> {
                stopWanted = true;
                mount.close();
                if (images.isPresent()) {
                    images.get().mount().close();
                }
                over.countDown();
                yield Map.of("stopping", true);
            }
            default -> throw new IOException("the gate knows status and stop, not '" + command + "'");
        };
    }

    /** What the control socket's {@code status} answers. */
    private Map<String, Object> status() {
        FetchStatus fetches = fetcher.status();
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("pid", ProcessHandle.current().pid());
        status.put("mount", absolute(config.mount()));
        images.ifPresent(served -> put(served, status));
        status.put("store", absolute(config.store()));
        config.fast().ifPresent(directory -> status.put("fast", absolute(directory)));
        status.put("registry", config.registry().toString());
        status.put("requests", gate.requests());
        status.put("callbacks", mount.callbacks());
        status.put("fetched", fetches.fetched());
        status.put("bytes", fetches.bytes());
        status.put("failed", fetches.failed());
        status.put("refused", fetches.refused());
        status.put("waiting", fetches.waiting());
        fetches.lastFailure().ifPresent(failure -> {
            status.put("lastFailure", failure.reason());
            status.put("lastFailureTime", failure.time().toString());
        });
        return status;
    }

    private static void put(Images images, Map<String, Object> status) {
        status.put("images", absolute(images.path()));
        status.put("imagesMapped", images.files().imagesMapped());
        status.put("imageCallbacks", images.mount().callbacks());
        images.mount().traffic().ifPresent(traffic -> {
            status.put("imageFilesOpen", traffic.filesOpen());
            status.put("imageBytesRead", traffic.bytesRead());
        });
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    /** Unmounts and ends all parts, the last started first. Idempotent. */
    @Override
    public synchronized void close() {
        while (!parts.isEmpty()) {
            AutoCloseable part = parts.pop();
            try {
                part.close();
            } catch (Exception e) {
                LOG.log(Level.WARNING, "could not end " + part.getClass().getSimpleName(), e);
            }
        }
        over.countDown();
    }
}
