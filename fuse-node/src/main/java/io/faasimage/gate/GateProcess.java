package io.faasimage.gate;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.api.concurrent.Closing;
import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.gate.GateOperations;
import io.faasimage.api.control.gate.GateStatus;
import io.faasimage.api.control.gate.ProcessDescriptor;
import io.faasimage.gate.fetch.Agent;
import io.faasimage.gate.fetch.AgentSocket;
import io.faasimage.gate.fetch.ObjectFetcher;
import io.faasimage.gate.fetch.ObjectSource;
import io.faasimage.gate.fetch.PatientAgent;
import io.faasimage.gate.fetch.ServiceSource;
import io.faasimage.gate.fuse.GateMount;
import io.faasimage.gate.fuse.ImageMount;
import io.faasimage.gate.fuse.ServedMount;
import io.faasimage.gate.image.ImageFiles;
import io.faasimage.gate.image.MetadataImages;
import io.faasimage.gate.lookup.Gate;
import io.faasimage.linux.Descriptor;
import io.faasimage.linux.FuseConnection;
import io.faasimage.store.ObjectStore;
import io.faasimage.store.object.StoreException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * A gate with all its parts, from mount to control socket. The control socket answers when the gate is ready.
 */
public final class GateProcess implements AutoCloseable {
    private static final Logger LOG = System.getLogger(GateProcess.class.getName());
    /** Metadata images that stay mapped; one costs address space and no heap. */
    private static final int MOST_IMAGES = 128;

    private static final int MOST_RETIRED = 16;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(2);
    /** Short enough for several attempts of one look-up. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private final GateConfig config;
    private final Closing closing = new Closing();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Gate gate;
    private final ObjectFetcher fetcher;
    private final GateMount mount;
    private final Optional<Images> images;
    private final ControlServer control;
    /** Kept until this process ends. */
    private volatile Optional<Descriptor> guard = Optional.empty();

    private volatile boolean stopWanted;
    private volatile boolean retired;

    /** The mount of images, on a kernel that cannot mount them itself. */
    private record Images(Path path, ImageFiles files, ImageMount mount) {}

    /** Starts everything; on failure nothing is left behind. */
    public GateProcess(GateConfig config) throws IOException {
        this.config = config;
        try {
            ObjectStore store = closing.add(openStore(config));
            fetcher = closing.add(new ObjectFetcher(store, agent(config), source(config), config.limits()));
            gate = new Gate(store, fetcher);
            mount = closing.add(mount(config, gate));
            images = config.images().isEmpty()
                    ? Optional.empty()
                    : Optional.of(serveImages(config.images().get(), store));
            control = closing.add(ControlServer.start(config.control(), handlers()));
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
        mounts().forEach(served -> {
            CompletableFuture<Integer> _ = served.ended().whenComplete((code, failure) -> ended());
        });
        LOG.log(Level.INFO, "serving: " + config);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private static GateMount mount(GateConfig config, Gate gate) throws IOException {
        Optional<GateConfig.Connection> left = config.connection();
        return left.isEmpty()
                ? GateMount.start(config.mount(), gate::lookup)
                : GateMount.goOn(
                        config.mount(),
                        FuseConnection.of(left.get().pid(), left.get().descriptor()),
                        gate::lookup);
    }

    /** Gates that were retired keep their names as writers until they end. */
    private static ObjectStore openStore(GateConfig config) throws IOException {
        for (int retired = 0; ; retired++) {
            try {
                return ObjectStore.open(config.store(), retired == 0 ? "gate" : "gate-" + retired);
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.IN_USE || retired == MOST_RETIRED) {
                    throw e;
                }
            }
        }
    }

    private List<ServedMount> mounts() {
        return images.isEmpty() ? List.of(mount) : List.of(mount, images.get().mount());
    }

    /** The gate ends with its first mount; a retired one ends with its last, when nothing uses it any more. */
    private void ended() {
        if (!retired || mounts().stream().allMatch(served -> served.ended().isDone())) {
            over.countDown();
        }
    }

    private ObjectSource source(GateConfig config) {
        if (config.registry().isEmpty()) {
            return ObjectSource.NONE;
        }
        Duration answer = shorter(config.limits().stall(), ANSWER_TIMEOUT);
        return new ServiceSource(closing.add(new ServiceClient(ServiceConfig.of(config.registry(), config.token())
                .withTransport(config.transport())
                .withTimeouts(shorter(answer, CONNECT_TIMEOUT), answer)
                .withSilence(answer))));
    }

    private static Agent agent(GateConfig config) {
        Agent agent = config.agent()
                .<Agent>map(socket -> new AgentSocket(socket, config.limits()))
                .orElseGet(Agent::none);
        return config.registry().isEmpty()
                ? new PatientAgent(agent, config.limits().stall())
                : agent;
    }

    private Images serveImages(Path directory, ObjectStore store) throws IOException {
        MetadataImages metadata = new MetadataImages(config.store().resolve("metadata"), MOST_IMAGES);
        ImageFiles files = new ImageFiles(metadata, store, fetcher);
        return new Images(directory, files, closing.add(ImageMount.start(directory, files)));
    }

    /**
     * Waits until the gate was stopped, or has nothing to serve since it was retired; false when the mount was taken
     * from it.
     */
    public boolean awaitEnd() throws InterruptedException {
        over.await();
        return stopWanted || retired;
    }

    private ControlHandlers handlers() {
        return new ControlHandlers()
                .on(GateOperations.STATUS, (request, events) -> status())
                .on(GateOperations.KEEP, (request, events) -> {
                    keep(request);
                    return new Empty();
                })
                .on(GateOperations.RETIRE, (request, events) -> {
                    retire();
                    return request;
                })
                .on(GateOperations.STOP, (request, events) -> {
                    stop();
                    return request;
                });
    }

    /** Keeps the guard of the agent that runs now. */
    private synchronized void keep(ProcessDescriptor descriptor) throws IOException {
        Descriptor next = Descriptor.of(descriptor.pid(), descriptor.number());
        guard.ifPresent(Descriptor::close);
        guard = Optional.of(next);
    }

    private void stop() throws IOException {
        stopWanted = true;
        leaveMounts();
        over.countDown();
    }

    /**
     * Leaves the paths to another gate, and continues to serve their users: the mounts and the socket are not closed
     * again.
     */
    private synchronized void retire() throws IOException {
        retired = true;
        // The agent gives it to the next gate; kept here, the kernel would ask it when both have ended.
        guard.ifPresent(Descriptor::close);
        guard = Optional.empty();
        leaveMounts();
        control.close();
        closing.leave(control);
        mounts().forEach(closing::leave);
    }

    private void leaveMounts() throws IOException {
        for (ServedMount served : mounts()) {
            served.close();
        }
    }

    private GateStatus status() {
        return new GateStatus(
                ProcessHandle.current().pid(),
                absolute(config.mount()),
                new GateStatus.Connection(mount.descriptor(), mount.resends()),
                guard.map(Descriptor::number).orElse(-1),
                images.map(GateProcess::status),
                absolute(config.store()),
                ServiceConfig.format(config.registry()),
                gate.requests(),
                mount.callbacks(),
                fetcher.status());
    }

    private static GateStatus.Images status(Images images) {
        return new GateStatus.Images(
                absolute(images.path()),
                images.files().imagesMapped(),
                images.mount().callbacks(),
                images.mount().traffic().filesOpen(),
                images.mount().traffic().bytesRead());
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }

    /** Unmounts and ends all parts, the last started first. Idempotent. */
    @Override
    public synchronized void close() {
        closing.close();
        over.countDown();
    }
}
