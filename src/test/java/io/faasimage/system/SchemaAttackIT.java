package io.faasimage.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceConfig;
import io.faasimage.testing.Daemon;
import io.faasimage.testing.Ports;
import io.faasimage.testing.Shell;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests that schemathesis makes of the API's description, right ones and almost right ones: none makes the service
 * fail. The requests are other ones each time; the report names the seed.
 */
@Tag("release")
final class SchemaAttackIT {
    private static final Duration START = Duration.ofSeconds(60);
    private static final int SECONDS = 40;
    private static final Path PROGRAM =
            Path.of("../../docker/bin/faasimage-registry").toAbsolutePath().normalize();

    @TempDir
    private Path work;

    @Test
    void noRequestMakesTheServiceFail() throws IOException, InterruptedException {
        Path schemathesis = schemathesis();
        int port = Ports.free();
        String token = "0123456789abcdef".repeat(3);
        URI base = URI.create("http://127.0.0.1:" + port);
        try (Daemon service = Daemon.start(
                        "registry-service",
                        work.resolve("service.log"),
                        Map.of("FAASIMAGE_JAVA_OPTS", "-XX:TieredStopAtLevel=1"),
                        List.of(
                                PROGRAM.toString(),
                                "--faasimage.data=" + work.resolve("data"),
                                "--faasimage.token=" + token,
                                // Generated references name hosts that are not meant.
                                "--faasimage.allowed-registries=127.0.0.1:1",
                                "--server.port=" + port))
                .await(START, () -> isUp(base))) {
            Shell.Result attack = Shell.run(
                    Map.of("NO_COLOR", "1"),
                    List.of(
                            // It keeps notes where it runs.
                            "env",
                            "--chdir=" + work,
                            schemathesis.toString(),
                            "run",
                            base + "/v3/api-docs",
                            "--header=Authorization: Bearer " + token,
                            // Does not end.
                            "--exclude-path=/v1/events/stream",
                            "--checks=not_a_server_error",
                            "--phases=examples,coverage,fuzzing",
                            "--mode=all",
                            "--max-time=" + SECONDS,
                            "--request-timeout=10",
                            "--continue-on-failure",
                            "--generation-database=none"));
            assertThat(attack.exit())
                    .as("%s%s%nThe service's log:%n%s", attack.out(), attack.err(), service.log())
                    .isZero();
            System.out.println(attack.out().lines().reduce((_, last) -> last).orElse(""));
        }
    }

    /** Without Python or PyPI the test is skipped with the reason. */
    private static Path schemathesis() throws IOException, InterruptedException {
        Path directory = Path.of("target/api").toAbsolutePath();
        Shell.Result built = Shell.run("api/build", directory.toString());
        if (built.exit() != 0) {
            String[] lines = built.err().strip().split("\n");
            String reason = "schemathesis could not be installed: " + lines[lines.length - 1];
            System.out.println("skipped: " + reason + "\n" + built.err());
            Assumptions.abort(reason);
        }
        return directory.resolve("schemathesis");
    }

    private static boolean isUp(URI base) {
        try (ServiceClient client = new ServiceClient(ServiceConfig.of(base, Optional.empty()))) {
            return client.healthy();
        } catch (RuntimeException e) {
            return false;
        }
    }
}
