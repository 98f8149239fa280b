package io.faasimage.docker.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Image names, as Docker completes them. */
final class ImageNameTest {
    private static final String DIGEST = "sha256:" + "0f".repeat(32);

    @ParameterizedTest
    @CsvSource({
        "alpine, docker.io/library/alpine:latest",
        "openwhisk/action-python-v3.11:nightly, docker.io/openwhisk/action-python-v3.11:nightly",
        "docker.io/alpine:3, docker.io/library/alpine:3",
        "127.0.0.1:5000/owfn:1, 127.0.0.1:5000/owfn:1",
        "127.0.0.1:5000/owfn, 127.0.0.1:5000/owfn:latest",
        "localhost/a/b, localhost/a/b:latest",
        "registry.example/a/b/c:v1.2-x, registry.example/a/b/c:v1.2-x"
    })
    void areCompleted(String written, String full) {
        assertThat(ImageName.full(written)).isEqualTo(full);
    }

    @Test
    void aDigestNeedsNoTag() {
        assertThat(ImageName.full("r.example/a@" + DIGEST)).isEqualTo("r.example/a@" + DIGEST);
        assertThat(ImageName.full("r.example/a:1@" + DIGEST)).isEqualTo("r.example/a:1@" + DIGEST);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:b:c@x", "a@sha256:12", "a;rm", "r.example/", "a\nb"})
    void nonsenseIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ImageName.full(text))
                .withMessageContaining("invalid reference format");
    }
}
