package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.testing.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/**
 * faas-cli, gateway, adapter, faasd, containerd and a function, all real. {@link OpenFaasChain} does it in a JVM of its
 * own, in private mount and network namespaces, because faasd has fixed paths, ports and a bridge; its files are in
 * memory and go with them.
 */
final class OpenFaasIT {
    @Test
    void aFunctionLivesItsLifeThroughTheRealChain() throws Exception {
        List<String> absent = Stream.of("FAASD", "FAAS_GATEWAY", "FAAS_CLI")
                .filter(name -> Optional.ofNullable(System.getenv(name))
                        .filter(path -> Files.isExecutable(Path.of(path)))
                        .isEmpty())
                .toList();
        if (!absent.isEmpty()) {
            System.err.println(
                    "OpenFaasIT is skipped: no package registry has these programs, give their paths in " + absent);
        }
        Assumptions.assumeTrue(
                absent.isEmpty(), () -> "the real OpenFaaS is not here; give the paths of its programs in " + absent);
        Shell.Result result = Shell.run(
                Map.of(),
                List.of(
                        "unshare",
                        "--mount",
                        "--net",
                        "--propagation",
                        "private",
                        "sh",
                        "-ec",
                        "mount -t tmpfs none /mnt; mkdir /mnt/tmp; exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=/mnt/tmp",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "--enable-native-access=ALL-UNNAMED",
                        OpenFaasChain.class.getName()));
        System.out.println(result.out() + result.err());
        assertThat(result.exit()).isZero();
        assertThat(result.out()).endsWith("the whole chain works\n");
    }
}
