package io.faasimage.docker.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is allowed where. */
final class SystemCallsTest {
    private static final List<String> CHROOT = List.of("CAP_SYS_CHROOT");

    /** Names that some rule allows. */
    private static List<String> allowed(JsonNode filter) {
        List<String> names = new ArrayList<>();
        for (JsonNode rule : filter.path("syscalls")) {
            if (rule.path("action").asString().equals("SCMP_ACT_ALLOW")) {
                rule.path("names").forEach(name -> names.add(name.asString()));
            }
        }
        return names;
    }

    @Test
    void whatIsNotListedFails() {
        JsonNode filter = SystemCalls.filter("amd64", CHROOT);
        assertThat(filter.path("defaultAction").asString()).isEqualTo("SCMP_ACT_ERRNO");
        assertThat(filter.path("defaultErrnoRet").asInt()).isEqualTo(1);
        assertThat(allowed(filter))
                .contains("read", "execve", "futex", "epoll_wait", "socket", "clone", "arch_prctl", "chroot")
                .doesNotContain("mount", "umount2", "unshare", "setns", "pivot_root", "bpf", "keyctl", "add_key")
                .doesNotContain("kexec_load", "init_module", "open_by_handle_at", "perf_event_open", "userfaultfd")
                .doesNotContain("io_uring_setup", "reboot", "fsopen", "open_tree", "move_mount", "clone3", "quotactl");
    }

    @Test
    void namespacesAndTwoKindsOfSocketsCannotBeMade() {
        JsonNode filter = SystemCalls.filter("amd64", CHROOT);
        for (JsonNode rule : filter.path("syscalls")) {
            String name = rule.path("names").path(0).asString();
            JsonNode argument = rule.path("args").path(0);
            switch (name) {
                case "clone" -> {
                    assertThat(argument.path("value").asLong()).isEqualTo(0x7E020000L);
                    assertThat(argument.path("valueTwo").asLong()).isZero();
                }
                case "clone3" -> assertThat(rule.path("errnoRet").asInt()).isEqualTo(38);
                case "socket", "personality" -> assertThat(argument.has("op")).isTrue();
                default -> assertThat(rule.has("args")).as(name).isFalse();
            }
        }
    }

    @Test
    void aDroppedCapabilityTakesItsCallsAndEachMachineHasItsOwn() {
        assertThat(allowed(SystemCalls.filter("amd64", List.of()))).doesNotContain("chroot");
        JsonNode arm = SystemCalls.filter("aarch64", CHROOT);
        assertThat(allowed(arm)).contains("cacheflush").doesNotContain("arch_prctl");
        assertThat(arm.path("architectures").path(0).asString()).isEqualTo("SCMP_ARCH_AARCH64");
        assertThat(arm.toString()).doesNotContain("\"architecture\"", "\"capability\"");
        assertThatThrownBy(() -> SystemCalls.filter("vax", CHROOT)).hasMessageContaining("vax");
    }
}
