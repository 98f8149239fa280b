package io.faasimage.format.erofs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The check program of erofs-utils. */
final class Fsck {
    private Fsck() {}

    /**
     * Fails when fsck.erofs finds a fault in {@code image} over {@code devices}; skips the test, with the reason, when
     * there is none.
     */
    static void check(Path image, Path... devices) throws IOException, InterruptedException {
        boolean installed = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> Files.isExecutable(Path.of(directory, "fsck.erofs")));
        String reason = "skipped: fsck.erofs is not installed (apt install erofs-utils)";
        if (!installed) {
            System.out.println(reason);
        }
        assumeTrue(installed, reason);
        List<String> command = new ArrayList<>(List.of("fsck.erofs"));
        for (Path device : devices) {
            command.add("--device=" + device);
        }
        command.add(image.toString());
        Process fsck = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(fsck.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(fsck.waitFor()).as(output).isZero();
    }
}
