package io.faasimage.builder.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The hard resource limits of this process, above which no container's can be set: in a user namespace nobody has the
 * capability for that.
 *
 * @see <a href="https://man7.org/linux/man-pages/man5/proc_pid_limits.5.html">proc_pid_limits(5)</a>
 */
record HardLimits(List<String> lines) {
    private static final int NAME_COLUMNS = 26;

    static HardLimits ofThisProcess() {
        try {
            return new HardLimits(Files.readAllLines(Path.of("/proc/self/limits")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The wanted limit, or the process's own if that is lower.
     *
     * @param name as the kernel prints it, such as {@code Max open files}
     */
    long atMost(String name, long wanted) {
        return lines.stream()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> line.substring(NAME_COLUMNS).strip().split(" +")[1])
                .filter(hard -> !hard.equals("unlimited"))
                .mapToLong(Long::parseUnsignedLong)
                .filter(hard -> Long.compareUnsigned(hard, wanted) < 0)
                .findFirst()
                .orElse(wanted);
    }
}
