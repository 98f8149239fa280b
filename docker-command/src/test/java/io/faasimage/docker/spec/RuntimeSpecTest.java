package io.faasimage.docker.spec;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.Json;
import io.faasimage.docker.command.RunOptions;
import io.faasimage.docker.command.RunOptions.Dns;
import io.faasimage.docker.command.RunOptions.Ulimit;
import io.faasimage.format.id.Digest;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What a container is allowed, as the runtime is told. */
final class RuntimeSpecTest {
    private static final String ID = "0123456789abcdef".repeat(4);
    private static final ImageConfig IMAGE = new ImageConfig(
            List.of("/bin/python3"),
            List.of("/action/server.py"),
            List.of("PATH=/bin", "LANG=C"),
            "/action",
            "",
            List.of(Digest.of(new byte[] {1})));
    private static final RunOptions OPTIONS = new RunOptions(
            Optional.of("wsk0_1_guest_hello"),
            List.of("__OW_API_HOST=http://h", "LANG=C.UTF-8"),
            Optional.of(256L << 20),
            Optional.of(256L << 20),
            Optional.of(128L),
            Optional.of(500_000_000L),
            Optional.of(1024L),
            List.of("NET_RAW", "NET_ADMIN"),
            List.of(new Ulimit("nofile", 1024, 1024)),
            new Dns(List.of(), List.of(), List.of()));

    private static JsonNode spec(ControlGroups groups, ProcessUser user) {
        ContainerPlace place = new ContainerPlace(ID, "openwhisk", Path.of("/run/netns/x"), Path.of("/c"));
        byte[] json = new RuntimeSpec(IMAGE, OPTIONS, place, groups).json(RuntimeSpec.words(IMAGE, List.of()), user);
        return Json.mapper().readTree(json);
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void commandEnvironmentAndLimitsAreThoseOfImageAndOptions() {
        JsonNode spec = spec(new ControlGroups(false, true), ProcessUser.ROOT);
        JsonNode process = spec.path("process");
        assertThat(strings(process.path("args"))).containsExactly("/bin/python3", "/action/server.py");
        assertThat(strings(process.path("env")))
                .containsExactly("HOSTNAME=0123456789ab", "PATH=/bin", "__OW_API_HOST=http://h", "LANG=C.UTF-8");
        assertThat(process.path("cwd").asString()).isEqualTo("/action");
        assertThat(process.path("rlimits").path(0).path("type").asString()).isEqualTo("RLIMIT_NOFILE");
        JsonNode resources = spec.path("linux").path("resources");
        assertThat(resources.path("memory").path("limit").asLong()).isEqualTo(256L << 20);
        assertThat(resources.path("memory").path("swap").asLong()).isEqualTo(256L << 20);
        assertThat(resources.path("cpu").path("shares").asLong()).isEqualTo(128);
        assertThat(resources.path("cpu").path("quota").asLong()).isEqualTo(50_000);
        assertThat(resources.path("pids").path("limit").asLong()).isEqualTo(1024);
        assertThat(spec.path("linux").path("cgroupsPath").asString()).isEqualTo("/openwhisk/" + ID);
    }

    @Test
    void droppedCapabilitiesAreGoneAndOtherUsersHaveNone() {
        JsonNode root = spec(new ControlGroups(false, true), ProcessUser.ROOT)
                .path("process")
                .path("capabilities");
        assertThat(strings(root.path("bounding"))).contains("CAP_CHOWN").doesNotContain("CAP_NET_RAW", "CAP_NET_ADMIN");
        assertThat(strings(root.path("effective"))).isEqualTo(strings(root.path("bounding")));
        JsonNode user = spec(new ControlGroups(false, true), new ProcessUser(1000, 1000, List.of(29L)))
                .path("process");
        assertThat(user.path("capabilities").path("effective").isEmpty()).isTrue();
        assertThat(user.path("user").path("uid").asLong()).isEqualTo(1000);
        assertThat(user.path("user").path("additionalGids").path(0).asLong()).isEqualTo(29);
    }

    @Test
    void versionTwoOfControlGroupsHasANamespace() {
        JsonNode one = spec(new ControlGroups(false, false), ProcessUser.ROOT).path("linux");
        assertThat(one.path("namespaces").toString()).doesNotContain("cgroup");
        assertThat(one.path("resources").path("memory").has("swap")).isFalse();
        assertThat(spec(new ControlGroups(true, true), ProcessUser.ROOT)
                        .path("linux")
                        .path("namespaces")
                        .toString())
                .contains("\"cgroup\"", "/run/netns/x");
    }
}
