package io.faasimage.format.id;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepositoryPrefixTest {
    @ParameterizedTest
    @CsvSource({
        "ghcr.io, ghcr.io/team/app:1, true",
        "ghcr.io/team, ghcr.io/team/app:1, true",
        "ghcr.io/team/app, ghcr.io/team/app:1, true",
        "ghcr.io/team, ghcr.io/teams/app:1, false",
        "ghcr.io/team, ghcr.io/other/app:1, false",
        "ghcr.io, ghcr.io.example/team/app:1, false",
        "ghcr.io, ghcr.io:444/team/app:1, false",
        "docker.io/library, debian:12, true",
        "index.docker.io, acme/app:2, true",
        "127.0.0.1:5000/a, 127.0.0.1:5000/a/b/c:1, true"
    })
    void repositoriesAreBelowIt(String prefix, String reference, boolean below) {
        assertThat(RepositoryPrefix.parse(prefix).contains(ImageReference.parse(reference)))
                .isEqualTo(below);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "team", "team/app", "/ghcr.io", "ghcr.io/", "ghcr.io/Team", "ghcr.io/a:1", "https://ghcr.io"
            })
    void whatNamesNoRegistryIsRefused(String text) {
        assertThatThrownBy(() -> RepositoryPrefix.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRepositoryIsNotBelowOneOfItsImages() {
        assertThat(RepositoryPrefix.parse("ghcr.io/team/app").contains(ImageReference.parse("ghcr.io/team:1")))
                .isFalse();
    }
}
