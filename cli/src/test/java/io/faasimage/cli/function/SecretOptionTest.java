package io.faasimage.cli.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --secret} in the forms that Docker takes. */
class SecretOptionTest {
    @TempDir
    private Path work;

    private static String read(String text) throws IOException {
        return new String(SecretOption.parse(text).read(Map.of("TOKEN", "of the variable")), StandardCharsets.UTF_8);
    }

    @Test
    void aSecretIsInAFileOrAVariable() throws IOException {
        Path file = Files.writeString(work.resolve("npmrc"), "of the file");
        assertThat(SecretOption.parse("id=npmrc,src=" + file).id()).isEqualTo("npmrc");
        assertThat(read("id=npmrc,src=" + file)).isEqualTo("of the file");
        assertThat(read("type=file,source=" + file + ",id=npmrc")).isEqualTo("of the file");
        assertThat(read("id=npmrc,env=TOKEN")).isEqualTo("of the variable");
        assertThat(read("id=npmrc,type=env,env=TOKEN")).isEqualTo("of the variable");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "npmrc",
                "id=npmrc",
                "src=file",
                "id=../x,src=file",
                "id=npmrc,src=file,env=TOKEN",
                "id=npmrc,id=other,src=file",
                "id=npmrc,mode=0400,src=file",
                "id=npmrc,type=env,src=file"
            })
    void anotherFormIsRefused(String text) {
        assertThatThrownBy(() -> SecretOption.parse(text))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("id=NAME,src=FILE or id=NAME,env=VARIABLE");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> read("id=npmrc,src=" + work.resolve("nothing")))
                .hasMessageContaining("the secret 'npmrc' cannot be read");
        assertThatThrownBy(() -> read("id=npmrc,env=NOTHING")).hasMessageContaining("NOTHING, which is not set");
    }
}
