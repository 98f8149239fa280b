package io.faasimage.adapter.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.adapter.openwhisk.ImageChange.Register;
import io.faasimage.adapter.openwhisk.ImageChange.Release;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as wsk sends them to the controller, and others. */
final class ActionObserverTest {
    private static final String ACTIONS = "/api/v1/namespaces/guest/actions/";
    private static final String BLACKBOX = """
            {"exec":{"kind":"blackbox","image":"127.0.0.1:5000/owfn:1","code":"x","binary":false,"main":"main"},
             "limits":{"timeout":60000,"memory":256,"logs":10,"concurrency":1}}""";

    private final ActionObserver observer = new ActionObserver("");

    private Optional<ImageChange> put(String path, String body, int status) {
        return observer.observe("PUT", path, "Basic dTpw", body.getBytes(StandardCharsets.UTF_8), status);
    }

    private String function(String path) {
        return put(path, BLACKBOX, 200).orElseThrow().function();
    }

    @Test
    void aBlackboxActionIsRegistered() {
        assertThat(put(ACTIONS + "hello?overwrite=true", BLACKBOX, 200))
                .get()
                .isInstanceOfSatisfying(Register.class, register -> {
                    assertThat(register.image()).isEqualTo("127.0.0.1:5000/owfn:1");
                    assertThat(register.function()).matches("openwhisk-hello-[0-9a-f]{16}");
                });
    }

    @Test
    void whatTheControllerRefusedIsNot() {
        assertThat(put(ACTIONS + "hello", BLACKBOX, 409)).isEmpty();
        assertThat(put(ACTIONS + "hello", BLACKBOX, 401)).isEmpty();
    }

    @Test
    void theInvokersRegistryIsPutInFront() {
        ActionObserver prefixed = new ActionObserver("registry.example:5000");
        byte[] body = "{\"exec\":{\"kind\":\"blackbox\",\"image\":\"me/hello\"}}".getBytes(StandardCharsets.UTF_8);
        assertThat(prefixed.observe("PUT", ACTIONS + "hello", "", body, 200))
                .get()
                .isInstanceOfSatisfying(
                        Register.class, r -> assertThat(r.image()).isEqualTo("registry.example:5000/me/hello"));
    }

    @Test
    void aRemovedActionAndOneOfAnotherKindAreReleased() {
        String name = function(ACTIONS + "hello");
        assertThat(observer.observe("DELETE", ACTIONS + "hello", "Basic dTpw", new byte[0], 200))
                .contains(new Release(name));
        assertThat(put(ACTIONS + "hello", "{\"exec\":{\"kind\":\"python:3.11\",\"code\":\"x\"}}", 200))
                .contains(new Release(name));
        assertThat(put(ACTIONS + "hello", "{\"limits\":{\"memory\":128}}", 200)).isEmpty();
    }

    @Test
    void eachActionHasANameOfItsOwn() {
        assertThat(function(ACTIONS + "a/b")).isNotEqualTo(function(ACTIONS + "b"));
        assertThat(function(ACTIONS + "B")).isNotEqualTo(function(ACTIONS + "b"));
        String own = "/api/v1/namespaces/_/actions/b";
        assertThat(function(own)).isEqualTo(function(own)).isNotEqualTo(function(ACTIONS + "b"));
        byte[] body = BLACKBOX.getBytes(StandardCharsets.UTF_8);
        String another = observer.observe("PUT", own, "Basic eDp5", body, 200)
                .orElseThrow()
                .function();
        assertThat(another).isNotEqualTo(function(own));
    }

    @ParameterizedTest
    @ValueSource(strings = {"h%20x.y@z", "%C3%A9t%C3%A9", "a.-b_"})
    void anyNameOfOpenWhiskBecomesOneOfTheRegistry(String name) {
        assertThat(function(ACTIONS + name)).matches("[a-z0-9-]{1,253}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/namespaces/guest/triggers/x",
                "/api/v1/namespaces/guest/actions",
                "/api/v1/namespaces/guest/actions/a/b/c",
                "/api/v1/namespaces/guest/actions/..%2f..%2fetc",
                "/api/v1/namespaces/guest/actions/%zz",
                "/api/v1/namespaces/guest/actions/a%0d%0ab",
                "/x/api/v1/namespaces/guest/actions/a"
            })
    void nothingElseIsAnAction(String path) {
        assertThat(put(path, BLACKBOX, 200)).isEmpty();
        assertThat(observer.isOfInterest("PUT", path)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not json",
                "[]",
                "{\"exec\":\"blackbox\"}",
                "{\"exec\":{\"kind\":\"blackbox\"}}",
                "{\"exec\":{\"kind\":\"blackbox\",\"image\":\"a b\"}}",
                "{\"exec\":{\"kind\":\"blackbox\",\"image\":\"-x\"}}",
                "{\"exec\":{\"kind\":\"blackbox\",\"image\":{\"a\":1}}}"
            })
    void aBodyWithoutAnImageMeansNothing(String body) {
        assertThat(put(ACTIONS + "hello", body, 200)).isEmpty();
    }

    @Test
    void invocationsAreOfNoInterest() {
        assertThat(observer.isOfInterest("POST", ACTIONS + "hello?blocking=true"))
                .isFalse();
        assertThat(observer.isOfInterest("PUT", ACTIONS + "hello?overwrite=true"))
                .isTrue();
        assertThat(observer.isOfInterest("DELETE", ACTIONS + "pack/hello")).isTrue();
    }
}
