package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process of ours that runs out of memory in one thread of many. */
final class LauncherTest {
    private static final int EXITED_ON_OUT_OF_MEMORY = 3;

    @TempDir
    private Path home;

    @Test
    void outOfMemoryEndsAProcess() throws Exception {
        Path module = Files.createDirectories(home.resolve("hog"));
        jar(module.resolve("hog.jar"));
        Path launcher = Files.createDirectories(home.resolve("bin")).resolve("hog");
        Path launch = Path.of("../../docker/bin/launch.sh").toAbsolutePath().normalize();
        Files.writeString(launcher, ". " + launch + "\nlaunch hog '" + Hog.class.getName() + "' -Xmx24m\n");
        ProcessBuilder command = new ProcessBuilder("/bin/sh", launcher.toString())
                .redirectOutput(home.resolve("log").toFile())
                .redirectErrorStream(true);
        command.environment().put("FAASIMAGE_HOME", home.toString());
        command.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process = command.start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS))
                    .as("ended by itself")
                    .isTrue();
            assertThat(process.exitValue())
                    .as(Files.readString(home.resolve("log")))
                    .isEqualTo(EXITED_ON_OUT_OF_MEMORY);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    private static void jar(Path file) throws IOException {
        String name = Hog.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
                var in = LauncherTest.class.getClassLoader().getResourceAsStream(name)) {
            jar.putNextEntry(new JarEntry(name));
            in.transferTo(jar);
        }
    }

    /** A program with one thread that dies of the lack of memory, and one that waits. */
    public static final class Hog {
        private Hog() {}

        /** Never returns. */
        public static void main(String[] arguments) throws InterruptedException {
            Thread.ofPlatform().start(() -> {
                List<byte[]> all = new ArrayList<>();
                while (all.size() < Integer.MAX_VALUE) {
                    all.add(new byte[1 << 20]);
                }
            });
            Thread.currentThread().join();
        }
    }
}
