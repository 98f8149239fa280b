package io.faasimage.docker.container;

import containerd.services.containers.v1.ContainersOuterClass.Container;
import containerd.v1.types.Task;
import io.faasimage.docker.container.ContainerInfo.State;
import io.faasimage.docker.containerd.Containers;
import io.faasimage.docker.containerd.Tasks;
import java.io.IOException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The containers that containerd knows, with their names. Thread-safe. */
final class ContainerTable {
    private final Containers containers;
    private final Tasks tasks;

    ContainerTable(Containers containers, Tasks tasks) {
        this.containers = containers;
        this.tasks = tasks;
    }

    /** All, the newest first. */
    List<ContainerInfo> list() throws IOException {
        Map<String, Task.Process> processes = new HashMap<>();
        tasks.list().forEach(process -> processes.put(process.getId(), process));
        return containers.list().stream()
                .filter(container -> container.containsLabels(Labels.NAME))
                .map(container -> info(container, Optional.ofNullable(processes.get(container.getId()))))
                .sorted(Comparator.comparing(ContainerInfo::created).reversed())
                .toList();
    }

    /** The container of a name, an ID or the begin of one. */
    ContainerInfo find(String reference) throws IOException {
        if (reference.matches("[0-9a-f]{64}")) {
            Optional<Container> container = containers.get(reference);
            if (container.isPresent()) {
                return info(container.get(), tasks.get(reference));
            }
        }
        Optional<Container> named = named(reference.startsWith("/") ? reference.substring(1) : reference);
        if (named.isPresent()) {
            return info(named.get(), tasks.get(named.get().getId()));
        }
        List<Container> begun = reference.matches("[0-9a-f]{4,64}")
                ? containers.list().stream()
                        .filter(c -> c.getId().startsWith(reference))
                        .toList()
                : List.of();
        if (begun.size() != 1) {
            String what = begun.isEmpty() ? "No such container: " : "Several containers begin with: ";
            throw new ContainerException(ContainerException.Kind.UNKNOWN, what + reference);
        }
        return info(begun.getFirst(), tasks.get(begun.getFirst().getId()));
    }

    /** The container of a name. */
    Optional<Container> named(String name) throws IOException {
        return containers.labelled(Labels.NAME, name).stream().findFirst();
    }

    private static ContainerInfo info(Container container, Optional<Task.Process> process) {
        Instant created = Instant.ofEpochSecond(
                container.getCreatedAt().getSeconds(), container.getCreatedAt().getNanos());
        return new ContainerInfo(
                container.getId(),
                container.getLabelsOrDefault(Labels.NAME, ""),
                container.getImage(),
                Optional.ofNullable(container.getLabelsMap().get(Labels.ADDRESS)),
                created,
                state(container, process));
    }

    private static State state(Container container, Optional<Task.Process> process) {
        if (process.isEmpty()) {
            // Without a task it never ran, or the machine has booted since.
            return container.containsLabels(Labels.ADDRESS) ? State.EXITED : State.CREATED;
        }
        return switch (process.get().getStatus()) {
            case RUNNING -> State.RUNNING;
            case PAUSED, PAUSING -> State.PAUSED;
            case STOPPED -> State.EXITED;
            default -> State.CREATED;
        };
    }
}
