package io.faasimage.adapter.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.login.PullLogin;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The login in the deploy requests of older clients. */
class DeploymentTest {
    private static Deployment parse(String registryAuth) {
        String body = "{\"service\":\"hello\",\"image\":\"r/hello:1\",\"registryAuth\":\"" + registryAuth + "\"}";
        return Deployment.parse(body.getBytes(StandardCharsets.UTF_8), "openfaas-fn")
                .orElseThrow();
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aUserAndPasswordAreFoundAndNotShown() {
        Deployment deployment = parse(base64("robot:pass:wörd"));
        assertThat(deployment.login()).contains(new PullLogin("robot", "pass:wörd"));
        assertThat(deployment.toString()).contains("robot").doesNotContain("wörd");
    }

    /** The function is registered all the same; whether it is deployed is the provider's decision. */
    @ParameterizedTest
    @ValueSource(strings = {"", "no base64!", "cm9ib3Q=", "OnBhc3N3b3Jk", "cm9ib3Q6"})
    void whatIsNoLoginIsNone(String registryAuth) {
        assertThat(parse(registryAuth)).isEqualTo(new Deployment(new FunctionKey("hello", "openfaas-fn"), "r/hello:1"));
    }

    @Test
    void aLongPasswordIsNone() {
        assertThat(parse(base64("robot:" + "x".repeat(5_000))).login()).isEqualTo(Optional.empty());
    }
}
