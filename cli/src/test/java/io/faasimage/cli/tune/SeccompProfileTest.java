package io.faasimage.cli.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SeccompProfileTest {
    private static final String OCI = """
            {"defaultAction":"SCMP_ACT_ERRNO","architectures":["SCMP_ARCH_X86_64","SCMP_ARCH_X86","SCMP_ARCH_X32"],
             "syscalls":[{"names":["read"],"action":"SCMP_ACT_ALLOW"}]}
            """;

    @TempDir
    private Path dir;

    private SeccompProfile read(String text) throws IOException {
        return SeccompProfile.read(Files.writeString(dir.resolve("profile.json"), text));
    }

    @Test
    void onlyTheArchitecturesChange() throws IOException {
        String expected = OCI.replace(",\"SCMP_ARCH_X86\",\"SCMP_ARCH_X32\"", "");
        for (String text : new String[] {
            OCI,
            "{\"linux\":{\"seccomp\":" + OCI + "}}",
            "{\"ID\":\"x\",\"Spec\":{\"linux\":{\"seccomp\":" + OCI + "}}}"
        }) {
            assertThat(read(text).nativeTo("amd64").json())
                    .isEqualTo(Json.mapper().readTree(expected));
        }
    }

    @Test
    void dockersFormKeepsItsOtherArchitecturesWithoutRelatives() throws IOException {
        String docker = """
                {"defaultAction":"SCMP_ACT_ERRNO","archMap":[
                 {"architecture":"SCMP_ARCH_X86_64","subArchitectures":["SCMP_ARCH_X86","SCMP_ARCH_X32"]},
                 {"architecture":"SCMP_ARCH_AARCH64","subArchitectures":["SCMP_ARCH_ARM"]}]}
                """;
        assertThat(read(docker).nativeTo("amd64").json())
                .isEqualTo(Json.mapper().readTree(docker.replace("\"SCMP_ARCH_X86\",\"SCMP_ARCH_X32\"", "")));
    }

    @Test
    void whatIsNoProfileOfThisMachineIsRefused() {
        assertThatThrownBy(() -> read("{}")).hasMessageContaining("no seccomp profile");
        assertThatThrownBy(() -> read("[[")).hasMessageContaining("not JSON");
        assertThatThrownBy(() -> read(OCI).nativeTo("aarch64")).hasMessageContaining("SCMP_ARCH_AARCH64");
        assertThatThrownBy(() -> read(OCI).nativeTo("vax")).hasMessageContaining("vax");
    }
}
