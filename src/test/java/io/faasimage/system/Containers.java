package io.faasimage.system;

import io.faasimage.testing.Shell;
import io.faasimage.testing.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The containers of one containerd on the snapshotter, by {@code ctr}; tests name them by short IDs. */
final class Containers {
    private static final String OUTPUT_END = "<end of output>";
    private static final int OUTPUT_TRIES = 3;

    private final String ctr;
    private final Path socket;
    private final String machine;

    /**
     * Those of the containerd at {@code socket}.
     *
     * @param ctr the program
     * @param machine the end of their names, which no other test has
     */
    Containers(String ctr, Path socket, String machine) {
        this.ctr = ctr;
        this.socket = socket;
        this.machine = machine;
    }

    /** Runs {@code ctr}. */
    Shell.Result ctr(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(ctr));
        command.addAll(List.of(arguments));
        return Shell.run(Map.of("CONTAINERD_ADDRESS", socket.toString()), command);
    }

    /** A container's name in containerd: runc and control groups know all containers of a machine by their names. */
    String name(String id) {
        return id + "-" + machine;
    }

    /** Starts a container from an image already pulled. */
    void run(String image, String id, String... command) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("run", "-d", "--snapshotter", "faasimage", image, name(id)));
        arguments.addAll(List.of(command));
        ctr(arguments.toArray(String[]::new)).ok();
    }

    /** Starts a shell in the host's network namespace, from an image already pulled. */
    void runInHostNetwork(String image, String id, String script) throws IOException, InterruptedException {
        ctr("run", "-d", "--net-host", "--snapshotter", "faasimage", image, name(id), "/bin/sh", "-c", script)
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
            result = ctr("task", "exec", "--exec-id", "e" + System.nanoTime(), name(id), "/bin/sh", "-c", ended);
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
        end(name(id));
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

    /** Those that containerd forgets when a client is killed while it makes a task: they have no container. */
    void endShims() {
        String address = socket.toString();
        ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .arguments()
                        .filter(words -> List.of(words).containsAll(List.of("-address", address)))
                        .isPresent())
                .filter(process -> process.info().command().orElse("").contains("containerd-shim"))
                .forEach(ProcessHandle::destroyForcibly);
    }
}
