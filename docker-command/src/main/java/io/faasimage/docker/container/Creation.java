package io.faasimage.docker.container;

import containerd.services.containers.v1.ContainersOuterClass.Container;
import containerd.types.MountOuterClass.Mount;
import io.faasimage.docker.command.Command;
import io.faasimage.docker.containerd.Containers;
import io.faasimage.docker.log.OutputPipes;
import io.faasimage.docker.network.BridgeNetwork;
import io.faasimage.docker.spec.ContainerPlace;
import io.faasimage.docker.spec.ProcessUser;
import io.faasimage.docker.spec.RuntimeSpec;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * One container on its way from a command to a running process. The record in containerd comes first, under the name
 * that was asked for: whatever follows and wherever it is cut off, {@code ps} shows it and {@code rm -f} finds what
 * there is of it.
 */
final class Creation {
    private final Parts parts;
    private final Command.Run run;
    private final String name;
    private final ContainerPlace place;
    private LocalImage image;

    Creation(Parts parts, Command.Run run, String id, String name, LocalImage image) {
        this.parts = parts;
        this.run = run;
        this.name = name;
        this.image = image;
        this.place = new ContainerPlace(
                id,
                parts.namespace(),
                BridgeNetwork.namespace(id),
                parts.files().directory(id));
    }

    /** Makes the record. */
    void record() throws IOException {
        parts.containers()
                .create(Container.newBuilder()
                        .setId(place.id())
                        .setImage(image.name())
                        .putLabels(Labels.NAME, name)
                        .setRuntime(Container.Runtime.newBuilder().setName("io.containerd.runc.v2"))
                        .setSnapshotter(parts.snapshots().snapshotter())
                        .setSnapshotKey(place.id())
                        .setSpec(Containers.spec(spec(ProcessUser.ROOT)))
                        .build());
    }

    private byte[] spec(ProcessUser user) throws IOException {
        List<String> words = RuntimeSpec.words(image.config(), run.arguments());
        if (words.isEmpty()) {
            throw new IOException("No command specified, and image " + image.name() + " has none");
        }
        return new RuntimeSpec(image.config(), run.options(), place, parts.groups()).json(words, user);
    }

    /** Makes and starts everything else. */
    void start() throws IOException {
        String id = place.id();
        parts.files().create(id);
        FutureTask<String> network = new FutureTask<>(() -> parts.network().connect(id));
        Thread.ofVirtual().start(network);
        List<Mount> root;
        String address;
        try {
            root = root();
            parts.pipes().make(parts.files().pipes(id));
        } finally {
            address = await(network);
        }
        if (!ProcessUser.isRoot(image.config().user())) {
            parts.containers().setSpec(id, Containers.spec(spec(user(root))));
        }
        parts.files().write(place, address, run.options().dns());
        parts.containers().label(id, Map.of(Labels.ADDRESS, address));
        run(root);
    }

    private void run(List<Mount> root) throws IOException {
        String id = place.id();
        Path pipes = parts.files().pipes(id);
        parts.pipes().start(pipes, parts.files().log(id));
        try {
            parts.tasks().create(id, root, OutputPipes.pipe(pipes, "stdout"), OutputPipes.pipe(pipes, "stderr"));
            parts.tasks().start(id);
        } catch (IOException e) {
            try {
                parts.tasks().delete(id);
            } catch (IOException left) {
                e.addSuppressed(left);
            }
            parts.pipes().stop(pipes);
            throw e;
        }
    }

    private static String await(FutureTask<String> network) throws IOException {
        try {
            return network.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw new IOException(failure.getMessage(), failure);
            }
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the network was made", e);
        }
    }

    private List<Mount> root() throws IOException {
        Optional<List<Mount>> root =
                parts.snapshots().prepare(place.id(), image.top().toString());
        if (root.isPresent()) {
            return root.get();
        }
        // The record of the image is here, its layers are not any more.
        parts.images().pull(image.name());
        image = parts.images()
                .find(image.name())
                .orElseThrow(() -> new IOException("image " + image.name() + " was removed while it was used"));
        return parts.snapshots()
                .prepare(place.id(), image.top().toString())
                .orElseThrow(() -> new IOException("containerd has image " + image.name() + " without its layers"));
    }

    private ProcessUser user(List<Mount> mounts) throws IOException {
        Path root = Files.createDirectories(parts.files().root(place.id()));
        int mounted = 0;
        try {
            for (Mount mount : mounts) {
                Mounts.mount(mount.getSource(), root, mount.getType(), mount.getOptionsList());
                mounted++;
            }
            return ProcessUser.find(image.config().user(), root);
        } finally {
            for (; mounted > 0; mounted--) {
                Mounts.detach(root);
            }
            Files.delete(root);
        }
    }
}
