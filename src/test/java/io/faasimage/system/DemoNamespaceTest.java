package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * containerd's namespaces of quickstart and bench. runc knows the containers of all containerds of a machine by
 * namespace and name: in the same namespace, a demo would end a container of another containerd.
 */
class DemoNamespaceTest {
    private static final Path SOURCES = Path.of("../..");

    @ParameterizedTest
    @CsvSource({"docker/quickstart/services.sh, use_directory", "bench/suite/platform.sh, use_bench_directory"})
    void eachDirectoryHasANamespaceOfItsOwn(String script, String function) throws Exception {
        String first = namespace(script, function, "/var/lib/one");
        assertThat(first).matches("faasimage-[a-z0-9-]{1,60}");
        assertThat(namespace(script, function, "/var/lib/two")).isNotEqualTo(first);
        assertThat(namespace(script, function, "/var/lib/one")).isEqualTo(first);
    }

    private static String namespace(String script, String function, String directory)
            throws IOException, InterruptedException {
        String commands = "set -eu; . " + SOURCES.resolve(script).toAbsolutePath() + "; " + function + " " + directory
                + "; bash -c 'echo $CONTAINERD_NAMESPACE'";
        return Shell.run(Map.of("CONTAINERD_NAMESPACE", "default"), List.of("bash", "-c", commands))
                .ok()
                .strip();
    }
}
