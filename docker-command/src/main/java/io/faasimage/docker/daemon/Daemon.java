package io.faasimage.docker.daemon;

import io.faasimage.api.control.ControlClient;
import io.faasimage.docker.call.CallServer;
import io.faasimage.docker.container.ContainerFiles;
import io.faasimage.docker.container.Engine;
import io.faasimage.docker.container.ImageStore;
import io.faasimage.docker.container.Parts;
import io.faasimage.docker.containerd.ContainerdChannel;
import io.faasimage.docker.containerd.Containers;
import io.faasimage.docker.containerd.ExitEvents;
import io.faasimage.docker.containerd.Images;
import io.faasimage.docker.containerd.Snapshots;
import io.faasimage.docker.containerd.Tasks;
import io.faasimage.docker.log.OutputPipes;
import io.faasimage.docker.network.BridgeNetwork;
import io.faasimage.docker.spec.ControlGroups;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The running daemon. Containers outlive it. */
final class Daemon implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Daemon.class.getName());

    private final ContainerdChannel containerd;
    private final ExitEvents events;
    private final CallServer server;

    /** Starts to serve; goes on with containers that are there. */
    Daemon(DaemonConfig config) throws IOException {
        BridgeNetwork network = new BridgeNetwork(config.network());
        for (Path directory : List.of(config.root(), config.containers(), config.run(), config.pipes())) {
            Files.createDirectories(
                    directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        containerd = new ContainerdChannel(config.containerd(), config.namespace());
        ImageStore images =
                new ImageStore(new Images(containerd), new ControlClient(config.agent()), config.namespace());
        Engine engine = new Engine(new Parts(
                config.namespace(),
                new Containers(containerd),
                new Tasks(containerd),
                new Snapshots(containerd, config.snapshotter()),
                images,
                network,
                new OutputPipes(),
                new ContainerFiles(config.containers(), config.pipes()),
                ControlGroups.probe()));
        try {
            server = CallServer.start(config.socket(), new CommandHandler(engine, images));
            engine.adopt();
            events = new ExitEvents(containerd, engine::refresh, () -> refreshAll(engine));
        } catch (IOException e) {
            containerd.close();
            throw e;
        }
    }

    private static void refreshAll(Engine engine) {
        try {
            engine.list().forEach(container -> engine.refresh(container.id()));
        } catch (IOException e) {
            LOG.log(Level.WARNING, "containers could not be looked through: {0}", e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the socket could not be removed", e);
        }
        events.close();
        containerd.close();
    }
}
