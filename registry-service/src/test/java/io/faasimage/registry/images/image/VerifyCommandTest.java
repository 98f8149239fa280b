package io.faasimage.registry.images.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.registry.platform.config.RegistrySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

@Timeout(60)
class VerifyCommandTest {
    private static final Digest DIGEST = Digest.of(new byte[] {1});

    @TempDir
    private Path directory;

    private VerifyCommand script(String script) throws IOException {
        return command("sh " + Files.writeString(directory.resolve("verify.sh"), script) + " first", "20s");
    }

    private static VerifyCommand command(String command, String limit) {
        return new VerifyCommand(new Binder(new MapConfigurationPropertySource(
                        Map.of("faasimage.verify-command", command, "faasimage.resolve-limit", limit)))
                .bind("faasimage", RegistrySettings.class)
                .get());
    }

    private static void verify(VerifyCommand command, String reference) throws IOException {
        command.verify(ImageLocation.parse(reference), DIGEST);
    }

    private static void assertRefused(VerifyCommand command, String message) {
        assertThatThrownBy(() -> verify(command, "a.example/b"))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(Kind.INVALID))
                .hasMessageContainingAll(message, "--faasimage.verify-command");
    }

    private static void assertNoVerdict(VerifyCommand command, String message) {
        assertThatThrownBy(() -> verify(command, "a.example/b"))
                .isInstanceOf(VerifyCommand.NoVerdict.class)
                .hasMessageContainingAll(message, "neither accepted nor refused", "--faasimage.verify-command");
    }

    @ParameterizedTest
    @CsvSource({
        "python, docker.io/library/python:latest",
        "a.example:5000/b/c:1, a.example:5000/b/c:1",
        "a.example/b@sha256:4bf5122f344554c53bde2ebb8cd2b7e3d1600ad631c385a5d7cce23c7785459a, a.example/b",
        "oci:/a b;c:name, oci:/a b;c:name"
    })
    void itGetsTheReferenceAndTheDigestAndNoInput(String reference, String argument) throws IOException {
        Path seen = directory.resolve("seen");
        verify(script("for word; do echo \"$word\"; done > " + seen + "; cat >> " + seen), reference);
        assertThat(seen).hasContent("first\n" + argument + "\n" + DIGEST + "\n");
    }

    @Test
    void withoutACommandEachImageIsAccepted() throws IOException {
        verify(command(" ", "20s"), "a.example/b");
    }

    @Test
    void anotherExitCodeRefusesWithTheLastLine() throws IOException {
        assertRefused(script("echo checked\nprintf 'no \\033signature\\n\\n' >&2\nexit 3"), "image: no ?signature (");
        assertRefused(script("exit 9"), "it ended with 9 and printed nothing");
        assertRefused(
                script("yes | head -c 1000000; echo; yes x | head -c 900 | tr -d '\\n'; exit 1"), "x".repeat(450));
    }

    @Test
    void aCommandThatDoesNotEndInTimeRefusesNothing() throws IOException {
        Path script = Files.writeString(directory.resolve("slow.sh"), "echo refused\nsleep 600\nexit 1");
        assertNoVerdict(command("sh " + script, "1s"), "did not end within 1 s");
    }

    @Test
    void aCommandThatCannotBeStartedRefusesNothing() {
        assertNoVerdict(command("/no/such/verifier", "20s"), "/no/such/verifier");
        assertNoVerdict(command(directory.toString(), "20s"), directory.toString());
    }
}
