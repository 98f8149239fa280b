package io.faasimage.api.trust;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedAuthoritiesTest {
    @TempDir
    private Path directory;

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> TrustedAuthorities.with(directory.resolve("none.pem")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none.pem does not exist");
    }

    @Test
    void aFileWithoutACertificateIsRefused() throws IOException {
        Path empty = Files.writeString(directory.resolve("empty.pem"), "");
        assertThatThrownBy(() -> TrustedAuthorities.with(empty)).hasMessageContaining("empty.pem has no certificate");
        Path other = Files.writeString(
                directory.resolve("other.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThatThrownBy(() -> TrustedAuthorities.with(other))
                .hasMessageContaining("other.pem has no readable certificate");
    }
}
