package io.faasimage.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
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

    private static char read(FileChannel device, long at) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(device.read(one, at)).isEqualTo(1);
        return (char) one.get(0);
    }

    @Test
    void anotherFileAnswersWhatIsReadAfterTheChange() throws Exception {
        try (LoopDevice loop = LoopDevice.attach(file("first", 'a', BYTES))) {
            loop.disableReadAhead();
            try (FileChannel device = FileChannel.open(loop.path())) {
                assertThat(read(device, 0)).isEqualTo('a');
                LoopDevice.change(loop.path(), file("second", 'b', BYTES));
                assertThat(read(device, BYTES / 2)).isEqualTo('b');
            }
        }
    }

    @Test
    void aFileOfAnotherSizeIsRefused() throws Exception {
        Path other = file("second", 'b', BYTES + 512);
        try (LoopDevice loop = LoopDevice.attach(file("first", 'a', BYTES))) {
            assertThatExceptionOfType(LinuxException.class)
                    .isThrownBy(() -> LoopDevice.change(loop.path(), other))
                    .withMessageContaining(other.toString())
                    .matches(e -> e.is(Errno.EINVAL));
        }
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
