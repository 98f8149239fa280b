package io.faasimage.registry.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginKeyTest {
    private static final String PURPOSE = "default\nghcr.io/team\nrobot";

    @TempDir
    private Path directory;

    private LoginKey key(String name) throws IOException {
        return LoginKey.readOrMake(directory.resolve(name));
    }

    @Test
    void aPasswordIsReadWithTheSameKeyAndForTheSamePurposeAlone() throws Exception {
        String secret = key("key").encrypt("pässword", PURPOSE);
        assertThat(new String(Base64.getDecoder().decode(secret), StandardCharsets.ISO_8859_1))
                .doesNotContain("ssword");
        assertThat(key("key").decrypt(secret, PURPOSE)).isEqualTo("pässword");
        assertThat(key("key").encrypt("pässword", PURPOSE)).isNotEqualTo(secret);
        assertThatThrownBy(() -> key("key").decrypt(secret, PURPOSE.replace("team", "evil")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("for another repository");
        assertThatThrownBy(() -> key("other").decrypt(secret, PURPOSE)).isInstanceOf(IOException.class);
        String changed = secret.substring(0, 20) + (secret.charAt(20) == 'A' ? 'B' : 'A') + secret.substring(21);
        for (String damaged : new String[] {changed, "AAAA", "", "no base64!"}) {
            assertThatThrownBy(() -> key("key").decrypt(damaged, PURPOSE)).isInstanceOf(IOException.class);
        }
    }

    @Test
    void aKeyIsReadableByItsOwnerAloneAndMustBeOne() throws Exception {
        key("key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("key"))))
                .isEqualTo("rw-------");
        Path bad = directory.resolve("bad");
        for (String text : new String[] {"", "c2hvcnQ=", "no base64!"}) {
            Files.writeString(bad, text);
            assertThatThrownBy(() -> LoginKey.read(bad))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("openssl rand -base64 32");
        }
    }
}
