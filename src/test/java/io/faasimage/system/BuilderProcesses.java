package io.faasimage.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The processes of builds on this machine. */
final class BuilderProcesses {
    private BuilderProcesses() {}

    /** The builder that works in a directory. */
    static ProcessHandle in(Path directory) {
        return ProcessHandle.allProcesses()
                .filter(process -> {
                    String command = read(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
                    return command.contains("io.faasimage.builder.worker.Main") && command.contains("\0" + directory);
                })
                .findFirst()
                .orElseThrow();
    }

    /** Those whose control group is named so. */
    static List<Path> of(String container) throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            return all.filter(process -> read(process.resolve("cgroup")).contains(container))
                    .toList();
        }
    }

    /** Empty when the process has ended meanwhile, or is none. */
    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return "";
        }
    }
}
