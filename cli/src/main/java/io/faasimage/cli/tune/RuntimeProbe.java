package io.faasimage.cli.tune;

import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A trial of an OCI runtime: it runs {@code true} of this machine in a container with namespaces and a cgroup. */
final class RuntimeProbe {
    private static final int LIMIT_SECONDS = 20;

    private RuntimeProbe() {}

    /**
     * Runs the container.
     *
     * @param runtime such as {@code /usr/bin/crun}
     * @param specVersion of the OCI runtime specification that the container's configuration names
     * @return why it did not run; empty when it did
     */
    static Optional<String> run(Path runtime, String specVersion) throws IOException {
        if (!Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            return Optional.of("whether " + runtime + " works here can only be tried as root");
        }
        Path bundle = Files.createTempDirectory("faasimage-probe");
        String container = "faasimage-probe-" + ProcessHandle.current().pid();
        Path printed = bundle.resolve("printed");
        boolean ran = false;
        try {
            Files.createDirectory(bundle.resolve("rootfs"));
            Files.writeString(
                    bundle.resolve("config.json"), Json.mapper().writeValueAsString(configuration(specVersion)));
            ran = execute(List.of(runtime.toString(), "run", "--bundle", bundle.toString(), container), printed) == 0;
            String said = Files.readString(printed, StandardCharsets.ISO_8859_1).strip();
            return ran ? Optional.empty() : Optional.of(runtime + " cannot run a container here: " + said);
        } finally {
            if (!ran) {
                execute(List.of(runtime.toString(), "delete", "--force", container), printed);
            }
            remove(bundle);
        }
    }

    private static Map<String, Object> configuration(String specVersion) {
        List<Object> mounts = new ArrayList<>();
        mounts.add(Map.of("destination", "/proc", "type", "proc", "source", "proc"));
        mounts.add(Map.of("destination", "/dev", "type", "tmpfs", "source", "tmpfs"));
        for (String directory : List.of("/usr", "/bin", "/lib", "/lib64")) {
            if (Files.isDirectory(Path.of(directory))) {
                mounts.add(Map.of(
                        "destination",
                        directory,
                        "type",
                        "bind",
                        "source",
                        directory,
                        "options",
                        List.of("rbind", "ro")));
            }
        }
        List<Object> namespaces = Stream.of("pid", "ipc", "uts", "mount", "network")
                .<Object>map(type -> Map.of("type", type))
                .toList();
        return Map.of(
                "ociVersion",
                specVersion,
                "process",
                Map.of("args", List.of("/bin/true"), "cwd", "/", "user", Map.of("uid", 0, "gid", 0)),
                "root",
                Map.of("path", "rootfs"),
                "mounts",
                mounts,
                "linux",
                Map.of("namespaces", namespaces));
    }

    private static int execute(List<String> command, Path output) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(String.join(" ", command) + " did not end within " + LIMIT_SECONDS + " s");
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + String.join(" ", command), e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void remove(Path bundle) throws IOException {
        // One by one: what is mounted there by mistake stays as it is.
        for (String name : List.of("usr", "bin", "lib", "lib64", "proc", "dev", "")) {
            Files.deleteIfExists(bundle.resolve("rootfs").resolve(name));
        }
        for (String name : List.of("config.json", "printed", "")) {
            Files.deleteIfExists(bundle.resolve(name));
        }
    }
}
