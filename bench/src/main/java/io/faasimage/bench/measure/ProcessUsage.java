package io.faasimage.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The resource usage of a living process, from procfs.
 *
 * @param cpuSeconds of all its threads, in user and kernel mode, since it began
 * @param residentBytes now
 * @param peakBytes the most it ever had resident
 */
public record ProcessUsage(double cpuSeconds, long residentBytes, long peakBytes) {
    /** Linux counts CPU time for user space in hundredths of a second, whatever the kernel's own tick is. */
    private static final double TICKS_PER_SECOND = 100;

    private static final int USER_TICKS = 11;
    private static final int KERNEL_TICKS = 12;

    /**
     * Of the process whose pid is the first word of {@code pidFile}.
     *
     * @throws IOException when there is no such file or process
     */
    public static ProcessUsage of(Path pidFile) throws IOException {
        Path process = Path.of("/proc", Files.readString(pidFile).strip().split("\\s+")[0]);
        List<String> status = Files.readAllLines(process.resolve("status"));
        return new ProcessUsage(
                cpuSeconds(Files.readString(process.resolve("stat"))),
                bytes(status, "VmRSS:"),
                bytes(status, "VmHWM:"));
    }

    /** CPU seconds from the line of a stat file. */
    static double cpuSeconds(String stat) {
        // After the closing parenthesis of the command's name, which may have spaces, the fields are plain words.
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[KERNEL_TICKS])) / TICKS_PER_SECOND;
    }

    /** The bytes that the line {@code field} of a status file has in kB. */
    static long bytes(List<String> status, String field) throws IOException {
        for (String line : status) {
            if (line.startsWith(field)) {
                return Long.parseLong(
                                line.substring(field.length()).replace("kB", "").strip())
                        * 1024;
            }
        }
        throw new IOException("the process status has no " + field + " line; has the process ended?");
    }
}
