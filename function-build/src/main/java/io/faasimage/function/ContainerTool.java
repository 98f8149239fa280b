package io.faasimage.function;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A command that runs containers, as Docker's does; {@code ctr} has a syntax of its own. {@code ctr} reads {@code
 * CONTAINERD_ADDRESS}, {@code CONTAINERD_NAMESPACE} and {@code CONTAINERD_SNAPSHOTTER} itself.
 */
public enum ContainerTool {
    DOCKER,
    PODMAN,
    NERDCTL,
    CTR;

    /** The tool of this name. */
    public static ContainerTool parse(String name) throws IOException {
        return Arrays.stream(values())
                .filter(tool -> tool.command().equals(name))
                .findFirst()
                .orElseThrow(() -> new IOException("unknown container tool '" + name + "'; use one of " + names()));
    }

    /** The first that is installed. */
    static ContainerTool installed() throws IOException {
        List<String> path =
                List.of(System.getenv().getOrDefault("PATH", "/usr/bin:/bin").split(File.pathSeparator));
        return Arrays.stream(values())
                .filter(tool -> path.stream().anyMatch(at -> Files.isExecutable(Path.of(at, tool.command()))))
                .findFirst()
                .orElseThrow(
                        () -> new IOException("the function has dependencies, which are installed in a container of"
                                + " its base image, but none of " + names() + " is here; install one, for example"
                                + " 'apt-get install podman', or put the libraries into the function's directory"));
    }

    private static String names() {
        return Arrays.stream(values()).map(ContainerTool::command).collect(Collectors.joining(", "));
    }

    /** Its program. */
    public String command() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The command that prints something if the tool has an image, or fails if not. */
    List<String> find(String image) {
        return this == CTR
                ? List.of("ctr", "images", "ls", "-q", "name==" + image)
                : List.of(command(), "image", "inspect", "--format", "{{.Id}}", image);
    }

    /** The command that takes an image from an archive of {@code docker save}. */
    List<String> load(Path archive) {
        return this == CTR
                ? List.of("ctr", "images", "import", "--snapshotter", snapshotter(), archive.toString())
                : List.of(command(), "load", "-i", archive.toString());
    }

    /** The command that ends a container. */
    List<String> kill(String container) {
        return this == CTR
                ? List.of("ctr", "tasks", "kill", "-s", "SIGKILL", container)
                : List.of(command(), "kill", container);
    }

    /**
     * The command that runs a script in a container in the host's network, which is removed when it ends.
     *
     * @param variables file of them, one on each line
     * @param mounts from paths of this machine to those of the container, with {@code ro} or {@code rw}
     */
    List<String> run(String image, String container, Path variables, List<Mount> mounts, String script) {
        List<String> words = new ArrayList<>(List.of(command(), "run", "--rm", "--env-file", variables.toString()));
        words.addAll(
                this == CTR
                        ? List.of("--net-host", "--snapshotter", snapshotter())
                        : List.of("--network", "host", "--name", container));
        for (Mount mount : mounts) {
            String ends = "type=bind,src=" + mount.from + ",dst=" + mount.to;
            words.add("--mount");
            words.add(
                    this == CTR
                            ? ends + ",options=rbind:" + (mount.writable ? "rw" : "ro")
                            : ends + (mount.writable ? "" : ",readonly"));
        }
        words.add(image);
        if (this == CTR) {
            words.add(container);
        }
        words.addAll(List.of("/bin/sh", "-euc", script));
        return words;
    }

    /** A file or directory of this machine that a container sees. */
    record Mount(Path from, String to, boolean writable) {}

    private static String snapshotter() {
        return System.getenv().getOrDefault("CONTAINERD_SNAPSHOTTER", "overlayfs");
    }
}
