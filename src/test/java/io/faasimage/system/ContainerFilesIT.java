package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The container files of the services, built and run as compose and the chart run them. */
@Tag("release")
final class ContainerFilesIT {
    @Test
    void theyRunWithoutRightsAndKeepWhatIsOnTheirVolume() throws IOException, InterruptedException {
        for (String program : List.of("mmdebstrap", "skopeo", "docker-registry", "containerd", "mvn", "jq")) {
            Assumptions.assumeTrue(
                    Shell.run("sh", "-c", "command -v " + program).exit() == 0,
                    program + " is not installed; apt-get install " + program);
        }
        // Where this build has its dependencies; jib's plugin may come from Maven Central.
        String repository = Objects.requireNonNull(System.getProperty("localRepository"), "not run by Failsafe");
        Shell.Result result = Shell.run(
                Map.of("JAVA_HOME", Objects.requireNonNull(System.getProperty("java.home"))),
                List.of("packages/containers", "target/containers", "-Dmaven.repo.local=" + repository));
        assertThat(result.ok()).endsWith("\nok\n");
    }
}
