package io.faasimage.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretValuesTest {
    @TempDir
    private Path temp;

    private SecretValues of(String secret) throws IOException {
        Path file = Files.writeString(temp.resolve("secret"), secret);
        return SecretValues.of(
                new Installation(Optional.empty(), new TreeMap<>(java.util.Map.of("secret", file)), List.of(), false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "//registry.example/:_authToken=npm_123456789; npm_123456789",
                "[global]\tindex-url = https://me:correct-horse@index.example/simple; correct-horse",
                "machine index.example login me password correct-horse; correct-horse",
                "{\"bearer\": {\"example.org\": \"1234567890\"}, \"token\": \"abcdefghij\"}; abcdefghij",
                "BUNDLE_GEMS__EXAMPLE__COM: \"me:correct-horse\"; correct-horse"
            })
    void passwordsInTheFilesOfPackageManagersAreKnown(String text, String value) throws IOException {
        assertThat(of(text).values()).contains(value);
    }

    @Test
    void aPasswordInAnInstalledFileIsAnError() throws IOException {
        SecretValues values = of("password = correct-horse\nuser = reader-of-it\n");
        Path tree = Files.createDirectories(temp.resolve("tree/pkg")).getParent();
        Files.writeString(tree.resolve("pkg/METADATA"), "reader-of-it, password");
        values.checkAbsent(tree);
        Files.writeString(tree.resolve("pkg/direct_url.json"), "{\"url\": \"https://x:correct-horse@y/\"}");
        assertThatThrownBy(() -> values.checkAbsent(tree))
                .hasMessageContaining("wrote a secret into pkg/direct_url.json of the libraries")
                .hasMessageNotContaining("correct-horse");
    }
}
