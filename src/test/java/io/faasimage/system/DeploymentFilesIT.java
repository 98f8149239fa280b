package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The Helm chart and the compose file, held against the schemas of Kubernetes and of the Compose specification. */
final class DeploymentFilesIT {
    private static final Path TOOLS = Path.of("target/chart").toAbsolutePath();

    /** Without a Go command or its module proxy the tests are skipped with the reason. */
    private static void build(String... only) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("chart/build", TOOLS.toString()));
        command.addAll(List.of(only));
        Shell.Result built = Shell.run(Shell.COMPILING, command);
        Assumptions.assumeTrue(
                built.exit() == 0,
                () -> "the checkers could not be fetched: "
                        + Arrays.asList(built.err().strip().split("\n")).getLast());
    }

    /** Helm takes ten minutes of a processor to build. */
    @Test
    @Tag("release")
    void theChartIsWhatKubernetesTakes() throws IOException, InterruptedException {
        build();
        assertThat(Shell.run("packages/chart", TOOLS.toString()).ok()).endsWith("ok\n");
    }

    @Test
    void theComposeFileIsWhatTheSpecificationSays() throws IOException, InterruptedException {
        build("compose");
        Assumptions.assumeTrue(
                Shell.run("python3", "-c", "import jsonschema, yaml").exit() == 0,
                "python3-jsonschema and python3-yaml are not installed; apt-get install them");
        Shell.Result result = Shell.run(
                "packages/compose.py", TOOLS.resolve("compose-spec.json").toString());
        assertThat(result.out()).isEmpty();
        assertThat(result.exit()).as(result.err()).isZero();
    }
}
