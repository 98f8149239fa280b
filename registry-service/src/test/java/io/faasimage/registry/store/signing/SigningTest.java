package io.faasimage.registry.store.signing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.statement.KeyFile;
import io.faasimage.format.statement.SignedDocument;
import io.faasimage.format.statement.VerifyingKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Keys in files and behind commands. */
@Timeout(60)
class SigningTest {
    private static final byte[] DOCUMENT = "what is said".getBytes(StandardCharsets.UTF_8);

    @TempDir
    private Path work;

    private KeyFile key;

    @BeforeEach
    void generate() throws IOException {
        key = generate("key");
    }

    private KeyFile generate(String name) throws IOException {
        KeyFile.generate(work.resolve(name), work.resolve(name + ".pub"));
        return KeyFile.read(work.resolve(name));
    }

    @Test
    void aGeneratedKeyIsPrivateAndItsPublicKeyIsBesideIt() throws IOException {
        assertThat(Files.getPosixFilePermissions(work.resolve("key")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        VerifyingKeys verifying = VerifyingKeys.read(List.of(work.resolve("key.pub")));
        assertThat(verifying.ids()).isEqualTo(key.publicKey().ids());
        SignedDocument signed =
                Signing.with(key, Optional.empty()).sign(DOCUMENT).orElseThrow();
        assertThat(verifying.verify(signed)).isTrue();
        assertThat(signed.document()).isEqualTo(DOCUMENT);
    }

    @Test
    void earlierKeysCount() throws IOException {
        KeyFile next = generate("next");
        SignedDocument before =
                Signing.with(key, Optional.empty()).sign(DOCUMENT).orElseThrow();
        assertThat(Signing.with(next, Optional.empty()).verify(before)).isFalse();
        Signing both = Signing.with(next, Optional.of(key.publicKey()));
        assertThat(both.verify(before)).isTrue();
        assertThat(both.key()).contains(next.publicKey().ids().getFirst());
    }

    @Test
    void aCommandGetsTheDocumentAndPrintsTheSignature() throws IOException {
        String signature = Base64.getEncoder().encodeToString(key.sign(DOCUMENT));
        Signing signing = Signing.with(
                command("[ \"$(cat)\" = 'what is said' ] || exit 1\necho " + signature, Duration.ofSeconds(30)),
                Optional.empty());
        assertThat(key.publicKey().verify(signing.sign(DOCUMENT).orElseThrow())).isTrue();
        assertThatThrownBy(() -> signing.sign("else".getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("ended with 1");
    }

    @Test
    void aCommandThatFailsIsNamedWithWhatItSaid() throws IOException {
        Signing fails = Signing.with(command("echo no access >&2\nexit 3", Duration.ofSeconds(30)), Optional.empty());
        assertThatThrownBy(() -> fails.sign(DOCUMENT)).hasMessageContainingAll("signing command", "3: no access");
        Signing hangs = Signing.with(command("sleep 600", Duration.ofMillis(300)), Optional.empty());
        assertThatThrownBy(() -> hangs.sign(DOCUMENT)).hasMessageContaining("did not end within");
        Signing empty = Signing.with(command("cat > /dev/null", Duration.ofSeconds(30)), Optional.empty());
        assertThatThrownBy(() -> empty.sign(DOCUMENT)).hasMessageContaining("has 0 bytes");
        String other = Base64.getEncoder().encodeToString(generate("other").sign(DOCUMENT));
        Signing wrong =
                Signing.with(command("cat > /dev/null\necho " + other, Duration.ofSeconds(30)), Optional.empty());
        assertThatThrownBy(() -> wrong.sign(DOCUMENT)).hasMessageContaining("not one of the public key");
    }

    /** It would keep the command's output open, and the reader of that would wait. */
    @Test
    void aCommandThatHangsIsEndedWithItsChildren() throws Exception {
        String child = "sleep 600." + System.nanoTime();
        Signing hangs = Signing.with(command(child + "\nexit 0", Duration.ofSeconds(1)), Optional.empty());
        assertThatThrownBy(() -> hangs.sign(DOCUMENT)).hasMessageContaining("did not end within");
        List<ProcessHandle> left = ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").endsWith(child))
                .toList();
        for (ProcessHandle process : left) {
            assertThat(process.onExit()).succeedsWithin(Duration.ofSeconds(5));
        }
    }

    private KeyCommand command(String script, Duration limit) throws IOException {
        Path file = Files.writeString(Files.createTempFile(work, "sign", ".sh"), script);
        return new KeyCommand(List.of("sh", file.toString()), key.publicKey(), limit);
    }

    @Test
    void aFileThatIsNoKeyIsRefusedWithARemedy() throws IOException {
        Path file = Files.writeString(work.resolve("no"), "nothing");
        assertThatThrownBy(() -> KeyFile.read(file)).hasMessageContainingAll(file.toString(), "openssl genpkey");
    }
}
