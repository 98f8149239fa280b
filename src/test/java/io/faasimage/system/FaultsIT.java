package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each kind of fault of {@code bench/faults} once, while containers start and read. */
final class FaultsIT {
    @Test
    void containersReadRightBytesOrAnErrorWhateverBreaks() throws IOException, InterruptedException {
        Path dir = Path.of("target/faults").toAbsolutePath();
        Shell.Result result = Shell.run(
                Map.of("JAVA_HOME", System.getProperty("java.home")),
                List.of("../../bench/faults", "--quick", "--no-build", "--dir", dir.toString()));
        assertThat(result.ok()).contains("wrong");
    }
}
