package io.faasimage.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.function.runtime.FunctionRuntime;
import io.faasimage.function.runtime.Runtimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionFilesTest {
    @TempDir
    private Path temp;

    private Path code = Path.of("");

    @BeforeEach
    void make() throws IOException {
        code = Files.createDirectories(temp.resolve("code"));
        Files.writeString(temp.resolve("outside"), "a file of the developer's");
        Files.createDirectories(code.resolve("lib"));
        Files.writeString(code.resolve("lib/a.py"), "a");
        Files.writeString(code.resolve("handler.py"), "b");
    }

    @Test
    void historiesAndInstalledLibrariesAreLeftOut() throws IOException {
        for (String directory : new String[] {".git", "node_modules", "lib/__pycache__"}) {
            Files.createDirectories(code.resolve(directory));
            Files.writeString(code.resolve(directory).resolve("x"), "x");
        }
        assertThat(FunctionFiles.code(code).stream().map(code::relativize).map(Path::toString))
                .containsExactly("", "handler.py", "lib", "lib/a.py");
    }

    @Test
    void linksWithinTheDirectoryAreFollowed() throws IOException {
        Files.createSymbolicLink(code.resolve("again"), Path.of("lib"));
        assertThat(FunctionFiles.code(code)).contains(code.resolve("again/a.py"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../outside", "/etc/hostname", "..", "nowhere", "."})
    void linksOutOfTheDirectoryAreErrors(String target) throws IOException {
        Files.createSymbolicLink(
                code.resolve("lib/link"),
                target.equals(".") ? code : Path.of("..").resolve(target));
        assertThatThrownBy(() -> FunctionFiles.code(code))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("the symbolic link " + code.resolve("lib/link"));
    }

    @Test
    void filesWithPasswordsAreKnownByTheirNames() throws IOException {
        FunctionRuntime ruby = Runtimes.of("ruby");
        for (String file :
                new String[] {".npmrc", "a/.env", ".env.production", "x/.bundle/config", "_netrc", "auth.json"}) {
            assertThat(FunctionFiles.isCredential(code.resolve(file), ruby))
                    .as(file)
                    .isTrue();
        }
        for (String file : new String[] {".env.example", "config", "npmrc", "handler.rb", "my.auth.json"}) {
            assertThat(FunctionFiles.isCredential(code.resolve(file), ruby))
                    .as(file)
                    .isFalse();
        }
    }
}
