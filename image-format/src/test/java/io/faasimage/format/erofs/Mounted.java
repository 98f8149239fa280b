package io.faasimage.format.erofs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A mount for the length of a test. */
record Mounted(Path point) implements AutoCloseable {
    /** Mounts with the arguments of mount(8) at the new directory {@code point}. */
    static Mounted at(Path point, String... arguments) throws IOException {
        Files.createDirectory(point);
        run(new ArrayList<>(List.of("mount")), arguments, point.toString());
        return new Mounted(point);
    }

    /** True when this process may mount. */
    static boolean permitted() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    @Override
    public void close() throws IOException {
        run(new ArrayList<>(List.of("umount")), new String[0], point.toString());
    }

    private static void run(List<String> command, String[] arguments, String last) throws IOException {
        command.addAll(List.of(arguments));
        command.add(last);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }
}
