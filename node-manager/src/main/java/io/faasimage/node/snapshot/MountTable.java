package io.faasimage.node.snapshot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What is mounted now in this process's mount namespace. Paths with white space are not understood. */
final class MountTable {
    private static final Path SOURCE = Path.of("/proc/self/mountinfo");
    private static final int MOUNT_POINT = 4;

    private final List<String> lines;

    private MountTable(List<String> lines) {
        this.lines = lines;
    }

    static MountTable read() throws IOException {
        return new MountTable(Files.readAllLines(SOURCE, StandardCharsets.ISO_8859_1));
    }

    /** Whether an overlay is mounted that writes to {@code upper}. */
    boolean hasUpper(Path upper) {
        String option = "upperdir=" + upper;
        return lines.stream().anyMatch(line -> line.endsWith(option) || line.contains(option + ","));
    }

    /** The mount points below {@code directory}, the last mounted first. */
    List<Path> below(Path directory) {
        return lines.reversed().stream()
                .map(line -> line.split(" ", -1))
                .filter(fields -> fields.length > MOUNT_POINT && fields[MOUNT_POINT].startsWith(directory + "/"))
                .map(fields -> Path.of(fields[MOUNT_POINT]))
                .toList();
    }
}
