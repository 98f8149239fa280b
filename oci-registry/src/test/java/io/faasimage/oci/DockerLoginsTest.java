package io.faasimage.oci;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.ImageReference;
import io.faasimage.oci.RegistryLogins.Login;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class DockerLoginsTest {
    private static final Duration SECONDS = Duration.ofSeconds(20);

    @TempDir
    private Path directory;

    private DockerLogins config(String json) throws IOException {
        return new DockerLogins(Files.writeString(directory.resolve("config.json"), json));
    }

    private static Optional<Login> login(DockerLogins logins, String host) throws IOException {
        return logins.find(ImageReference.parse(host + "/a/b:c"));
    }

    private CredentialHelper helper(String script, Duration limit) throws IOException {
        Path program = Files.writeString(directory.resolve("helper"), "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return new CredentialHelper(List.of(program.toString()), limit);
    }

    @Test
    void readsLoginsOfTheFile() throws IOException {
        DockerLogins credentials = config("""
                {"auths": {"https://index.docker.io/v1/": {"auth": "dTpw"}, "other.example": {"auth": "djpwOnE="},
                 "azure.example": {"auth": "MDA6", "identitytoken": "refresh"}}}""");
        assertThat(login(credentials, "docker.io")).contains(new Login("u", "p"));
        assertThat(login(credentials, "other.example")).contains(new Login("v", "p:q"));
        assertThat(login(credentials, "azure.example")).contains(Login.ofIdentityToken("refresh"));
        assertThat(login(credentials, "third.example")).isEmpty();
    }

    @Test
    void noFileIsNoLogin() throws IOException {
        assertThat(login(new DockerLogins(directory.resolve("none")), "a.example"))
                .isEmpty();
    }

    @Test
    void aDamagedFileIsNamedAndNotQuoted() throws IOException {
        assertThatThrownBy(() -> login(config("{\"auths\": {\"a\": s3cret"), "a.example"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("config.json")
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
        assertThatThrownBy(() -> login(config("{\"auths\": {\"a.example\": {\"auth\": \"s3cret!\"}}}"), "a.example"))
                .hasMessageContaining("not base64")
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    void theRegistrysOwnHelperGoesBeforeTheGeneralOneAndTheFile() throws IOException {
        DockerLogins credentials = config("""
                {"auths": {"a.example": {"auth": "dTpw"}}, "credHelpers": {"a.example": "faasimage-none-1"},
                 "credsStore": "faasimage-none-2"}""");
        assertThatThrownBy(() -> login(credentials, "a.example"))
                .hasMessageContaining("could not run the credential helper docker-credential-faasimage-none-1");
        assertThatThrownBy(() -> login(credentials, "b.example"))
                .hasMessageContaining("could not run the credential helper docker-credential-faasimage-none-2");
        assertThatThrownBy(() -> login(config("{\"credsStore\": \"../../bin/sh\"}"), "b.example"))
                .hasMessageContaining("is not the name of a credential helper");
    }

    @Test
    void asksAHelperAsDockerDoes() throws IOException {
        CredentialHelper helper = helper("""
                read server
                test "$1" = get && echo '{"ServerURL": "'$server'", "Username": "u@'$server'", "Secret": "p"}'
                """, SECONDS);
        assertThat(helper.get("a.example")).contains(new Login("u@a.example", "p"));
    }

    @Test
    void aHelpersTokenIsAnIdentityToken() throws IOException {
        CredentialHelper helper = helper("echo '{\"Username\": \"<token>\", \"Secret\": \"refresh\"}'", SECONDS);
        assertThat(helper.get("a.example")).contains(Login.ofIdentityToken("refresh"));
    }

    @Test
    void aHelperThatHasNothingIsNoLogin() throws IOException {
        assertThat(helper("echo credentials not found in native keychain; exit 1", SECONDS)
                        .get("a.example"))
                .isEmpty();
    }

    @Test
    void whatAFailingHelperPrintsIsKeptSecret() {
        assertThatThrownBy(() ->
                        helper("echo s3cret; echo s3cret >&2; exit 3", SECONDS).get("a.example"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ended with 3 when asked for a.example")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> helper("echo s3cret", SECONDS).get("a.example"))
                .hasMessageContaining("did not answer with JSON")
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    @Timeout(60)
    void aHelperThatHangsIsEnded() {
        assertThatThrownBy(() ->
                        helper("sleep 100 & sleep 100", Duration.ofMillis(200)).get("a.example"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("did not end within");
    }

    @Test
    void secretsAreNotInTheTextForm() {
        assertThat(new Login("u", "s3cret").toString()).isEqualTo("u:***");
        assertThat(Login.ofIdentityToken("s3cret").toString()).doesNotContain("s3cret");
    }
}
