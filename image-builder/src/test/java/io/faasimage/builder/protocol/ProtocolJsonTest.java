package io.faasimage.builder.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.builder.BuildRequest;
import io.faasimage.builder.KeptLibraries;
import io.faasimage.builder.runtime.RuntimeCatalogue;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.format.id.ImageReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Records of the protocol, written and read again. */
class ProtocolJsonTest {
    @Test
    void aTaskBringsItsSecretsAndShowsNone() throws Exception {
        byte[] npmrc = "//registry.example.com/:_authToken=s3cret".getBytes(StandardCharsets.UTF_8);
        BuildRequest request = BuildRequest.of(
                "hello",
                RuntimeCatalogue.load(Optional.empty()).runtime("node"),
                ImageReference.parse("registry.test/hello:1"),
                Optional.empty(),
                Map.of("A", "b"),
                KeptLibraries.USED,
                BuildSecrets.of(Map.of("npmrc", npmrc)));
        BuildTask task = new BuildTask("lease", "b-1", 1, BuildTask.Kind.BUILD, request, List.of());
        BuildTask read = ProtocolJson.decode(ProtocolJson.encode(task), BuildTask.class);
        assertThat(read.request().target()).isEqualTo(request.target());
        assertThat(read.request().secrets().contents())
                .containsOnlyKeys("npmrc")
                .containsEntry("npmrc", npmrc);
        assertThat(read.request().withoutSecrets().secrets().isEmpty()).isTrue();
        assertThat(read.toString() + read.request()).doesNotContain("s3cret");
    }

    @Test
    void whatIsNoTaskIsRefused() {
        byte[] text = "{\"lease\": 1}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> ProtocolJson.decode(text, BuildTask.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BuildTask");
    }
}
