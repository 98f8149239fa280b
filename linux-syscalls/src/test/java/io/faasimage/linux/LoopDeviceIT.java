package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real loop devices; needs root. */
class LoopDeviceIT {
    private static final int BYTES = 1 << 20;

    @TempDir
    Path temp;

    private Path file(String name, char content, int size) throws IOException {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) content);
        return Files.write(temp.resolve(name), bytes);
    }

    @Test
    void readAheadIsSwitchedOff() throws Exception {
        try (LoopDevice loop = LoopDevice.attach(file("first", 'a', BYTES))) {
            loop.disableReadAhead();
            Path sysfs = Path.of("/sys/block", String.valueOf(loop.path().getFileName()), "queue/read_ahead_kb");
            assertThat(sysfs).content().isEqualTo("0\n");
        }
    }
}
