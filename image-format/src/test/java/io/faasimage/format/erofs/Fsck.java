package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** The check program of erofs-utils. */
final class Fsck {
    private Fsck() {}

    /** Fails when fsck.erofs finds a fault in {@code image}; skips the test, with the reason, when there is none. */
    static void check(Path image) throws IOException, InterruptedException {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "fsck.erofs")));
        String reason = "skipped: fsck.erofs is not installed (apt install erofs-utils)";
        if (!installed) {
            System.out.println(reason);
        }
        assumeTrue(installed, reason);
        Process fsck = new ProcessBuilder("fsck.erofs", image.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(fsck.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(fsck.waitFor()).as(output).isZero();
    }
}
