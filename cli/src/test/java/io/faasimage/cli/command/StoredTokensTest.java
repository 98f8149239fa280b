package io.faasimage.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The choice of a stored token for an address, and the permissions of the file. */
final class StoredTokensTest {
    private static final URI SERVICE = URI.create("https://faasimage.test:8980");

    @TempDir
    private Path dir;

    @Test
    void aTokenIsForItsAddressAlone() throws IOException {
        StoredTokens tokens = new StoredTokens(dir.resolve("faasimage/tokens"));
        assertThat(tokens.find(List.of(SERVICE))).isEmpty();
        tokens.store(List.of(SERVICE), "secret");
        assertThat(tokens.find(List.of(URI.create("https://FAASIMAGE.test:8980/"))))
                .contains("secret");
        for (String other :
                List.of("http://faasimage.test:8980", "https://faasimage.test", "https://faasimage.test.evil:8980")) {
            assertThat(tokens.find(List.of(URI.create(other)))).as(other).isEmpty();
            assertThat(tokens.find(List.of(SERVICE, URI.create(other))))
                    .as(other)
                    .isEmpty();
        }
        assertThat(tokens.forget(List.of(SERVICE))).isTrue();
        assertThat(tokens.find(List.of(SERVICE))).isEmpty();
        assertThat(tokens.forget(List.of(SERVICE))).isFalse();
    }

    @Test
    void nobodyElseReadsThem() throws IOException {
        Path file = dir.resolve("tokens");
        StoredTokens tokens = new StoredTokens(file);
        tokens.store(List.of(SERVICE), "secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThatThrownBy(() -> tokens.find(List.of(SERVICE))).hasMessageContaining("can be read by others");
        assertThatThrownBy(() -> tokens.store(List.of(SERVICE), "two\nlines"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
