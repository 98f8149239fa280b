package io.faasimage.node.agent.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** A reader of a process's files in proc(5). */
final class ProcessFiles {
    private static final String RESIDENT = "VmRSS:";
    private static final int UNIT = 1024;

    private ProcessFiles() {}

    /** Its memory; empty when it is gone. */
    static OptionalLong residentBytes(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
                    .filter(line -> line.startsWith(RESIDENT))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * UNIT)
                    .findFirst();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
