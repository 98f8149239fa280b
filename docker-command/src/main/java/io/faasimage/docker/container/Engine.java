package io.faasimage.docker.container;

import containerd.services.containers.v1.ContainersOuterClass.Container;
import io.faasimage.docker.command.Command;
import io.faasimage.docker.container.ContainerException.Kind;
import io.faasimage.docker.container.ContainerInfo.State;
import io.faasimage.docker.containerd.ContainerdException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What can be done with containers. containerd holds all state; only names that are being given away are held here.
 * Thread-safe: a container is in one hand at a time.
 */
public final class Engine {
    private static final Logger LOG = System.getLogger(Engine.class.getName());
    private static final int LOCKS = 1024;

    private final Parts parts;
    private final ContainerTable table;
    private final SecureRandom random = new SecureRandom();
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    private final Lock[] locks = new Lock[LOCKS];

    /** Containers of these parts. */
    public Engine(Parts parts) {
        this.parts = parts;
        this.table = new ContainerTable(parts.containers(), parts.tasks());
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    private Lock lock(String id) {
        return locks[Math.floorMod(id.hashCode(), LOCKS)];
    }

    /** All containers, the newest first. */
    public List<ContainerInfo> list() throws IOException {
        return table.list();
    }

    /** The container of a name, an ID or the begin of one. */
    public ContainerInfo find(String reference) throws IOException {
        return table.find(reference);
    }

    /** The json-file log of a container. */
    public Path log(String id) {
        return parts.files().log(id);
    }

    /** Whether the kernel ended a process of the container for want of memory. */
    public boolean ranOutOfMemory(String id) {
        return parts.groups().ranOutOfMemory(parts.namespace(), id);
    }

    /** Whether the image is here. */
    public boolean has(String image) throws IOException {
        return parts.images().digest(image).isPresent();
    }

    /**
     * Makes and starts a container of an image that is here.
     *
     * @return its ID
     * @throws StartException when it was made and could not be started
     * @throws IOException when it could not be made
     */
    public String run(Command.Run run) throws IOException {
        LocalImage image =
                parts.images().find(run.image()).orElseThrow(() -> new IOException("No such image: " + run.image()));
        byte[] bytes = new byte[32];
        random.nextBytes(bytes);
        String id = HexFormat.of().formatHex(bytes);
        String name = run.options().name().orElse("container-" + id.substring(0, 12));
        Lock lock = lock(id);
        lock.lock();
        try {
            Creation creation = new Creation(parts, run, id, name, image);
            reserve(name, creation);
            try {
                creation.start();
                describe(id);
                return id;
            } catch (IOException e) {
                throw new StartException(id, e);
            }
        } finally {
            lock.unlock();
        }
    }

    private void reserve(String name, Creation creation) throws IOException {
        if (!names.add(name)) {
            throw taken(name, "one that is being made");
        }
        try {
            Optional<Container> other = table.named(name);
            if (other.isPresent()) {
                throw taken(name, '"' + other.get().getId() + '"');
            }
            creation.record();
        } finally {
            names.remove(name);
        }
    }

    private static ContainerException taken(String name, String other) {
        return new ContainerException(
                Kind.CONFLICT,
                "Conflict. The container name \"/" + name + "\" is already in use by container " + other
                        + ". You have to remove (or rename) that container to be able to reuse that name.");
    }

    /** Stops all processes of a container where they are. */
    public void pause(String reference) throws IOException {
        change(reference, State.RUNNING, State.PAUSED);
    }

    /** Lets them go on. */
    public void unpause(String reference) throws IOException {
        change(reference, State.PAUSED, State.RUNNING);
    }

    private void change(String reference, State from, State to) throws IOException {
        String id = table.find(reference).id();
        Lock lock = lock(id);
        lock.lock();
        try {
            State state = table.find(id).state();
            if (state != from) {
                throw new ContainerException(
                        Kind.CONFLICT,
                        "Container " + id + " is " + (state == to && to == State.PAUSED ? "already " : "")
                                + state.word() + ", not " + from.word());
            }
            if (to == State.PAUSED) {
                parts.tasks().pause(id);
            } else {
                parts.tasks().resume(id);
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Removes a container with all that belongs to it; also one of which only parts are there.
     *
     * @param force whether one that runs is ended
     */
    public void remove(String reference, boolean force) throws IOException {
        String id = table.find(reference).id();
        Lock lock = lock(id);
        lock.lock();
        try {
            State state = table.find(id).state();
            if (state.isAlive() && !force) {
                throw new ContainerException(
                        Kind.CONFLICT,
                        "You cannot remove a " + state.word() + " container " + id
                                + ". Stop the container before attempting removal or force remove");
            }
            if (parts.tasks().get(id).isPresent()) {
                end(id, state);
            }
            parts.pipes().stop(parts.files().pipes(id));
            parts.network().disconnect(id);
            parts.snapshots().remove(id);
            parts.files().delete(id);
            parts.containers().delete(id);
        } finally {
            lock.unlock();
        }
    }

    private void end(String id, State state) throws IOException {
        if (state != State.EXITED) {
            parts.tasks().kill(id);
            if (state == State.PAUSED) {
                thaw(id);
            }
            parts.tasks().awaitExit(id);
        }
        parts.tasks().delete(id);
    }

    /** Lets a paused container take its signal, where the runtime has not done so by itself. */
    private void thaw(String id) {
        try {
            parts.tasks().resume(id);
        } catch (ContainerdException e) {
            LOG.log(Level.DEBUG, "container {0} had gone on by itself: {1}", id, e.getMessage());
        }
    }

    /** Writes down, where OpenWhisk reads it, how a container is; nothing when it has gone. */
    public void refresh(String id) {
        Lock lock = lock(id);
        lock.lock();
        try {
            if (Files.isDirectory(parts.files().directory(id))) {
                describe(id);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the state of container {0} could not be written: {1}", id, e.getMessage());
        } finally {
            lock.unlock();
        }
    }

    private void describe(String id) throws IOException {
        Description.write(parts.files().description(id), table.find(id), ranOutOfMemory(id));
    }

    /** Goes on with containers that another daemon started: brings their output to their logs. */
    public void adopt() throws IOException {
        for (ContainerInfo container : table.list()) {
            Path pipes = parts.files().pipes(container.id());
            if (container.state().isAlive() && Files.isDirectory(pipes)) {
                parts.pipes().start(pipes, parts.files().log(container.id()));
            }
        }
    }
}
