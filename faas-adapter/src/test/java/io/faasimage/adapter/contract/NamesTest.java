package io.faasimage.adapter.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Routes, bodies and names as they come from anybody. */
class NamesTest {
    @ParameterizedTest
    @CsvSource({
        "POST, /system/functions, DEPLOY",
        "PUT, /system/functions?namespace=x, UPDATE",
        "DELETE, /system/functions, DELETE",
        "GET, /system/functions, OTHER",
        "POST, /system/functionsx, OTHER",
        "POST, /system/scale-function/f?namespace=n, SCALE",
        "GET, /system/scale-function/f, OTHER",
        "POST, /function/system/functions, INVOKE",
        "GET, /, OTHER"
    })
    void requestsAreToldApart(String method, String uri, Route route) {
        assertThat(Route.of(method, uri)).isEqualTo(route);
    }

    @Test
    void everyNameGivesAnotherOneOfTheRegistrysForm() {
        List<FunctionKey> keys = List.of(
                new FunctionKey("hello", "openfaas-fn"),
                new FunctionKey("Hello", "openfaas-fn"),
                new FunctionKey("HELLO", "openfaas-fn"),
                new FunctionKey("a.b", "c"),
                new FunctionKey("a", "b.c"),
                new FunctionKey("-", "n"),
                new FunctionKey("../x", "n"),
                new FunctionKey("x".repeat(5000), "n"),
                new FunctionKey("x".repeat(5001), "n"),
                new FunctionKey("\u0000\r\n é", "n"));
        Set<String> names = new HashSet<>();
        keys.forEach(key -> assertThat(names.add(key.registeredName())).isTrue());
        assertThat(names).allMatch(name -> name.matches("[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?"));
        assertThat(keys.getFirst().registeredName()).isEqualTo("hello.openfaas-fn");
        assertThat(keys.getLast().toString()).doesNotContain("\r", "\n");
    }

    @Test
    void theNamespaceOfAScalingStandsInTheQuery() {
        byte[] body = "{\"serviceName\":\"f\",\"replicas\":2}".getBytes(StandardCharsets.UTF_8);
        assertThat(Scaling.parse(body, "/system/scale-function/f?x=1&namespace=a%20b", "d"))
                .contains(new Scaling(new FunctionKey("f", "a b"), 2));
        assertThat(Scaling.parse(body, "/system/scale-function/f?namespace=%zz", "d"))
                .contains(new Scaling(new FunctionKey("f", "d"), 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {"-", "[]", "{", "{\"service\":1,\"image\":\"i\"}", "{\"service\":\"s\"}"})
    void whatIsNotADeploymentIsNone(String body) {
        byte[] bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        assertThat(Deployment.parse(bytes, "d")).isEqualTo(Optional.empty());
    }
}
