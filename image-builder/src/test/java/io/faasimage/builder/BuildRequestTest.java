package io.faasimage.builder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.builder.runtime.RuntimeCatalogue;
import io.faasimage.builder.secret.BuildSecrets;
import io.faasimage.format.id.ImageReference;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory and environment as users write them. */
class BuildRequestTest {
    private static BuildRequest request(String memory, String variable, String value) throws IOException {
        return BuildRequest.of(
                "hello",
                RuntimeCatalogue.load(Optional.empty()).runtime("python"),
                ImageReference.parse("localhost:5000/hello"),
                Optional.of(memory),
                Map.of(variable, value),
                KeptLibraries.USED,
                BuildSecrets.NONE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"134217728", "128Mi", "1Gi", "64M"})
    void sizesOfMemory(String memory) throws IOException {
        assertThat(request(memory, "A", "b").memory()).contains(memory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "128 Mi", "lots", "128Mi\n", "1e9"})
    void whatIsNoSizeIsRefused(String memory) {
        assertThatThrownBy(() -> request(memory, "A", "b")).hasMessageContaining("is not a memory size");
    }

    @Test
    void whatIsNoVariableIsRefused() {
        assertThatThrownBy(() -> request("1Gi", "A=B", "c"))
                .hasMessageContaining("not a name of an environment variable");
        assertThatThrownBy(() -> request("1Gi", "A", "b\nC=d")).hasMessageContaining("line ends");
        assertThatThrownBy(() -> request("1Gi", "PATH", "/tmp")).hasMessageContaining("is set by the runtime");
    }
}
