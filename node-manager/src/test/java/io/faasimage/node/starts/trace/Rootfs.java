package io.faasimage.node.starts.trace;

import io.faasimage.linux.MountTable;
import io.faasimage.linux.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** A small image on the disk, and processes that use it as their root with the programs of the host. */
final class Rootfs implements AutoCloseable {
    private static final List<String> HOST = List.of("/usr", "/lib", "/lib64", "/bin", "/proc", "/etc/alternatives");

    private final Path directory;
    private final List<Process> processes = new ArrayList<>();

    Rootfs(Path directory) throws IOException {
        this.directory = directory.toRealPath();
        Files.createDirectories(this.directory.resolve("upper"));
        Files.createDirectories(this.directory.resolve("work"));
        for (String host : HOST) {
            Files.createDirectories(lower().resolve(host.substring(1)));
        }
        for (String empty : List.of(
                "tmp", "old", "data/folder", System.getProperty("java.home").substring(1))) {
            Files.createDirectories(lower().resolve(empty));
        }
    }

    Path lower() {
        return directory.resolve("lower");
    }

    Path state() {
        return directory.resolve("t");
    }

    Rootfs file(String path, String content) throws IOException {
        Path file = lower().resolve(path);
        Files.createDirectories(file.resolve("..").normalize());
        Files.writeString(file, content);
        return this;
    }

    Rootfs script(String path, String... lines) throws IOException {
        file(path, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(lower().resolve(path), PosixFilePermissions.fromString("rwxr-xr-x"));
        return this;
    }

    List<String> overlayOptions() {
        return List.of(
                "workdir=" + directory.resolve("work"),
                "upperdir=" + directory.resolve("upper"),
                "lowerdir=" + lower());
    }

    /** Runs {@code program} with {@code root} as its root. {@code pivot}: by pivot_root, as container runtimes do. */
    Process run(Path root, String program, boolean pivot, String... unshare) throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("set -e");
        lines.add("mount --rbind " + root + " " + root);
        for (String host : HOST) {
            lines.add("[ ! -d " + host + " ] || mount --rbind " + host + " " + root + host);
        }
        String java = System.getProperty("java.home");
        lines.add("mount --rbind " + java + " " + root + java);
        lines.add("ip link set lo up || true");
        lines.add("cd " + root);
        lines.add(pivot ? "pivot_root . old; exec chroot . " + program : "exec chroot . " + program);
        List<String> command = new ArrayList<>(List.of("unshare", "-m", "--propagation", "private"));
        command.addAll(List.of(unshare));
        command.addAll(List.of("sh", "-c", String.join("\n", lines)));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("output").toFile())
                .start();
        processes.add(process);
        return process;
    }

    String output() throws IOException {
        return Files.readString(directory.resolve("output"));
    }

    @Override
    public void close() throws IOException {
        for (Process process : processes) {
            process.destroyForcibly();
            process.onExit().join();
        }
        for (MountTable.Entry entry : MountTable.read().below(directory)) {
            Mounts.detach(Path.of(entry.target()));
        }
    }
}
