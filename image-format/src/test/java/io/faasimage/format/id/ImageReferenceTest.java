package io.faasimage.format.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferenceTest {
    private static final String DIGEST = "sha256:" + "a".repeat(64);

    @ParameterizedTest
    @CsvSource({
        "debian, docker.io/library/debian:latest",
        "debian:12, docker.io/library/debian:12",
        "team/app, docker.io/team/app:latest",
        "localhost/app:1, localhost/app:1",
        "127.0.0.1:5000/a/b:v1, 127.0.0.1:5000/a/b:v1",
        "[::1]:5000/a:v1, [::1]:5000/a:v1",
        "registry.example.org/app, registry.example.org/app:latest",
        "index.docker.io/app, docker.io/library/app:latest",
    })
    void readsWhatUsersWrite(String text, String name) {
        assertThat(ImageReference.parse(text)).hasToString(name);
    }

    @Test
    void asksForTheDigestWhenThereIsOne() {
        ImageReference both = ImageReference.parse("h.example:5000/app:1@" + DIGEST);
        assertThat(both.qualifier()).isEqualTo(DIGEST);
        assertThat(both).hasToString("h.example:5000/app:1@" + DIGEST);
        assertThat(ImageReference.parse("h.example/app@" + DIGEST).tag()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "/",
                "a b",
                "h.example/",
                "h.example/App",
                "h.example/a:",
                "h.example/a:b/c",
                "h.example/a@sha256:12",
                "h.example/../a",
                "h.example:x/a",
                "h.example/a:tag with space"
            })
    void refusesTheRest(String text) {
        assertThatThrownBy(() -> ImageReference.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not an image reference");
    }

    @Test
    void refusesALongNameBeforeLookingAtIt() {
        assertThatThrownBy(() -> ImageReference.parse("a.".repeat(3000) + "a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1024 characters");
    }

    @Test
    void speaksPlainHttpOnThisMachineOnly() {
        assertThat(ImageReference.parse("localhost:5000/a").isLoopback()).isTrue();
        assertThat(ImageReference.parse("127.0.0.1/a").isLoopback()).isTrue();
        assertThat(ImageReference.parse("127.example.org/a").isLoopback()).isFalse();
        assertThat(ImageReference.parse("registry.example.org/a").isLoopback()).isFalse();
    }
}
