package io.faasimage.registry.platform.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class PublishSettingsTest {
    @Test
    void patternsAreOfWholeRepositories() {
        PublishSettings settings = new PublishSettings(List.of("registry.example:5000/team/*", "docker.io/a.b/c"));
        assertThat(settings.covers("registry.example:5000/team/hello")).isTrue();
        assertThat(settings.covers("registry.example:5000/team/sub/hello")).isTrue();
        assertThat(settings.covers("registry.example:5000/other/hello")).isFalse();
        assertThat(settings.covers("docker.io/a.b/c")).isTrue();
        assertThat(settings.covers("docker.io/aXb/c")).isFalse();
        assertThat(settings.covers("docker.io/a.b/c/d")).isFalse();
        assertThat(new PublishSettings(List.of()).covers("docker.io/a/b")).isFalse();
    }

    @Test
    void whatIsNoRepositoryIsRefused() {
        for (String wrong : List.of("", "registry.example", "https://a/b c")) {
            assertThatThrownBy(() -> new PublishSettings(List.of(wrong)))
                    .as(wrong)
                    .hasMessageContaining("faasimage.publish: '" + wrong + "'");
        }
    }
}
