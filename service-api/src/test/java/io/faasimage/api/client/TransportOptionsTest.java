package io.faasimage.api.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransportOptionsTest {
    private static final TransportOptions INSECURE = TransportOptions.of(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("yes"));

    @ParameterizedTest
    @ValueSource(
            strings = {"http://127.0.0.1:1", "http://127.8.9.1", "http://[::1]:1", "http://localhost:1", "https://h"})
    void aTokenMayGoToThisMachineOrOverTls(String address) {
        assertThatCode(() -> TransportOptions.USUAL.check(List.of(URI.create(address)), "--insecure yes"))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://10.0.0.1:8980", "http://[fe80::1]:8980", "http://host:8980", "http://127.0.0.1.example"})
    void aTokenDoesNotGoToAnotherMachineInPlainText(String address) {
        List<URI> addresses = List.of(URI.create("https://first"), URI.create(address));
        assertThatThrownBy(() -> TransportOptions.USUAL.check(addresses, "--insecure yes"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(address, "https://", "--insecure yes");
        assertThatCode(() -> INSECURE.check(addresses, "")).doesNotThrowAnyException();
        ServiceConfig config = ServiceConfig.of(addresses.getLast(), Optional.of("secret"));
        try (ServiceClient client = new ServiceClient(config)) {
            assertThatThrownBy(client::functions).hasMessageContaining("the token is not sent to " + address);
        }
    }

    @Test
    void copiesWithOtherLimitsShareTlsSessionsAndOtherOptionsDoNot() {
        ServiceConfig config = ServiceConfig.of(URI.create("https://h"), Optional.empty());
        assertThat(config.withTimeouts(Duration.ZERO, Duration.ZERO)
                        .withSilence(Duration.ZERO)
                        .withRate(MinimumRate.STANDARD)
                        .tls())
                .isSameAs(config.tls());
        assertThat(config.withTransport(TransportOptions.USUAL).tls()).isNotSameAs(config.tls());
    }

    @Test
    void anotherProgramGetsTheSameOptions() {
        TransportOptions all = new TransportOptions(
                Optional.of(Path.of("/ca")),
                Optional.of(Path.of("/cert")),
                Optional.of(Path.of("/key")),
                Optional.of("name"),
                true);
        assertThat(all.arguments())
                .containsExactly(
                        "--service-ca",
                        "/ca",
                        "--service-cert",
                        "/cert",
                        "--service-key",
                        "/key",
                        "--service-name",
                        "name",
                        "--insecure",
                        "yes");
        assertThat(TransportOptions.USUAL.arguments()).isEmpty();
        assertThatThrownBy(() -> TransportOptions.of(
                        Optional.empty(), Optional.of("/c"), Optional.empty(), Optional.empty(), Optional.empty()))
                .hasMessageContaining("need each other");
        assertThatThrownBy(() -> TransportOptions.of(
                        Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of("maybe")))
                .hasMessageContaining("must be yes or no");
    }
}
