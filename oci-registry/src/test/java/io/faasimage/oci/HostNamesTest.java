package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Host;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostNamesTest {
    @ParameterizedTest
    @CsvSource({
        "registry.example.com, registry.example.com, true",
        "registry.example.com, Registry.Example.com:5000, true",
        "registry.example.com:5000, registry.example.com:5000, true",
        "registry.example.com:5000, registry.example.com, false",
        "registry.example.com:5000, registry.example.com:443, false",
        "*.example.com, registry.example.com, true",
        "*.example.com, a.b.example.com:5000, true",
        "*.example.com, example.com, false",
        "*.example.com, badexample.com, false",
        "example.com, registry.example.com, false",
        "[::1]:5000, [::1]:5000, true"
    })
    void aHostIsListedByItsWholeName(String listed, String host, boolean contained) {
        assertThat(new HostNames(List.of("other.example", listed)).contains(Host.parse(host)))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "https://example.com", "example.com/a", "*", "*example.com", "a b", "example.com:x"})
    void whatIsNoHostIsRefused(String entry) {
        assertThatThrownBy(() -> new HostNames(List.of(entry))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHostOfThisMachineIsPlainForRegistriesOfThisMachineOnly() {
        Host local = Host.parse("127.0.0.1:80");
        assertThat(HostRules.OPEN.isUnverified(local, Host.parse("localhost:5000")))
                .isTrue();
        assertThat(HostRules.OPEN.isUnverified(local, Host.parse("registry.example.com")))
                .isFalse();
        assertThat(Host.parse("127.example.org").isLoopback()).isFalse();
        assertThat(Host.parse("[::1]:5000").isLoopback()).isTrue();
    }
}
