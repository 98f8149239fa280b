package io.faasimage.builder.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.builder.fault.BuildException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secrets of builds, the passwords in them, and their place in output. */
class BuildSecretsTest {
    private static final String PASSWORD = "hunter2+hunter2/x==";

    private static BuildSecrets secrets(String id, String content) throws BuildException {
        return BuildSecrets.of(Map.of(id, content.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<String> values(String content) throws BuildException {
        return secrets("id", content).values().stream()
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .toList();
    }

    /** A stream that gives few bytes at a time. */
    private static InputStream slow(String text, int step) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, Math.min(step, length));
            }
        };
    }

    private static String masked(String text, int step, String... secrets) throws IOException {
        List<byte[]> values = List.of(secrets).stream()
                .map(secret -> secret.getBytes(StandardCharsets.UTF_8))
                .toList();
        try (InputStream in = new MaskedInput(slow(text, step), values)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "registry=https://example.org/npm/\n//example.org/npm/:_authToken=%s\n",
                "//example.org/npm/:_password = \"%s\"\nemail=me@example.org\n",
                "[global]\npassword = %s\n",
                "machine example.org login me password %s\n",
                "machine example.org\n  login me\n  password %s\n",
                "BUNDLE_GEMS__EXAMPLE__ORG: \"%s\"\nBUNDLE_TOKEN: %s\n",
                "{\"http-basic\": {\"example.org\": {\"username\": \"somebody\", \"password\": \"%s\"}}}",
                "{\"github-oauth\": {\"github.com\": \"%s\"}}",
                "{\"auths\": {\"example.org\": {\"auth\": \"%s\"}}}",
                "%s\n"
            })
    void passwordsAreRecognised(String form) throws BuildException {
        assertThat(values(form.replace("%s", PASSWORD))).contains(PASSWORD);
    }

    @Test
    void aPasswordInAnAddressIsRecognised() throws BuildException {
        assertThat(values("https://me:hunter2hunter2@example.org\n")).contains("hunter2hunter2");
        assertThat(values("[global]\nindex-url = https://me:hunter2hunter2@example.org/simple\n"))
                .contains("hunter2hunter2");
        assertThat(values("BUNDLE_GEMS__EXAMPLE__ORG: \"me:hunter2hunter2\"")).contains("me:hunter2hunter2");
    }

    @Test
    void whatIsInManyPackagesIsNoPassword() throws BuildException {
        String npmrc = "# token=of-nobody-at-all\n//registry.npmjs.org/:_authToken=${NPM_TOKEN}\nkey=short\n";
        assertThat(values(npmrc)).containsExactly(npmrc.strip());
        String account = "{\"type\": \"service_account\", \"private_key\": \"0123456789\"}";
        assertThat(values(account)).containsExactly(account, "0123456789");
    }

    @Test
    void idsAndSizesAreBoundedAndContentsAreNotShown() throws BuildException {
        for (String id : new String[] {"", "..", "a/b", "-x", "a b", "x".repeat(102)}) {
            assertThatThrownBy(() -> secrets(id, PASSWORD))
                    .isInstanceOf(BuildException.class)
                    .hasMessageNotContaining(PASSWORD);
        }
        assertThatThrownBy(() -> secrets("id", "x".repeat(BuildSecrets.MAX_BYTES + 1)))
                .hasMessageContaining("more than 65536 bytes");
        assertThat(secrets("npmrc", PASSWORD)).hasToString("secrets [npmrc]");
    }

    @Test
    void theDigestDependsOnTheKeyTheIdsAndTheContents() throws BuildException {
        byte[] key = {1};
        String digest = secrets("a", "one").digest(key);
        assertThat(secrets("a", "one").digest(key)).isEqualTo(digest);
        assertThat(secrets("a", "one").digest(new byte[] {2})).isNotEqualTo(digest);
        assertThat(secrets("a", "two").digest(key)).isNotEqualTo(digest);
        assertThat(secrets("b", "one").digest(key)).isNotEqualTo(digest);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void secretsAreMaskedWhereverTheyAreCut(int step) throws IOException {
        assertThat(masked("a hunterhunter2 hunter2 hunter", step, "hunter2")).isEqualTo("a hunter*** *** hunter");
        assertThat(masked("abcabcd", step, "abcd", "ab")).isEqualTo("***c***");
        assertThat(masked("abcabc", step, "abcd", "ab")).isEqualTo("***c***c");
        assertThat(masked("nothing", step)).isEqualTo("nothing");
    }

    @Test
    void whatIsNotTheBeginningOfASecretIsNotHeldBack() throws IOException {
        byte[] buffer = new byte[100];
        MaskedInput in = new MaskedInput(slow("line\nhunt", 5), List.of("hunter2".getBytes(StandardCharsets.UTF_8)));
        assertThat(in.read(buffer, 0, 100)).isEqualTo(5);
        assertThat(in.read(buffer, 0, 100)).as("at the end").isEqualTo(4);
        assertThat(in.read(buffer, 0, 100)).isEqualTo(-1);
    }
}
