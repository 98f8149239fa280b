package io.faasimage.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The resident memory of a process, from procfs. */
final class ResidentMemory {
    private static final String FIELD = "VmRSS:";

    private ResidentMemory() {}

    /** Resident bytes of the process {@code pid}. */
    static long ofProcess(String pid) throws IOException {
        return parse(Files.readAllLines(Path.of("/proc", pid, "status")));
    }

    /** Resident bytes from the lines of a status file. */
    static long parse(List<String> status) throws IOException {
        for (String line : status) {
            if (line.startsWith(FIELD)) {
                return Long.parseLong(
                                line.substring(FIELD.length()).replace("kB", "").strip())
                        * 1024;
            }
        }
        throw new IOException("the process status has no " + FIELD + " line; has the process ended?");
    }
}
