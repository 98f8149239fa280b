package io.faasimage.registry.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.token.Scope;
import io.faasimage.api.token.TokenRequest;
import io.faasimage.registry.ServiceTest;
import io.faasimage.registry.TestService;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map.Entry;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Other spellings of each guarded path and method, as proxies, servers and frameworks have understood them differently:
 * without a token, and with one of a node, which may do less than others.
 */
@Timeout(120)
class SpellingAttackTest extends ServiceTest {
    private static String node = "";

    @BeforeAll
    static void start() throws IOException {
        service = TestService.start(data, "--faasimage.pages.attempts=100000");
        node = service.client()
                .tokens()
                .create(new TokenRequest("node", List.of(Scope.NODE), null, null, false))
                .token();
    }

    private static Stream<String> spellings(String path) {
        String rest = path.substring(1);
        String last = path.substring(path.lastIndexOf('/') + 1);
        return Stream.of(
                "/" + path,
                "/." + path,
                path + "/",
                path + "/.",
                path + ";a=b",
                path + "%20",
                path + "%00",
                path + "%2f",
                path + ".json",
                path + "?token=" + TestService.TOKEN,
                "/nothing/.." + path,
                "/nothing/%2e%2e" + path,
                "/v1/health/.." + path,
                "/v1/health;/.." + path,
                "/ui/assets/0/../../.." + path,
                "/ui/sign-in/../.." + path,
                "/actuator/health/../.." + path,
                "/;a=b/" + rest,
                "/" + rest.replaceFirst("/", "//"),
                "/" + rest.replaceFirst("/", "/;/"),
                "/" + rest.replaceFirst("/", "%2f"),
                "/" + rest.replaceFirst("/", "\\\\"),
                path.toUpperCase(Locale.ROOT),
                path.replace(last, last.replaceFirst("(.)", "%" + Integer.toHexString(last.charAt(0)))),
                "http://127.0.0.1" + path);
    }

    private static String path(Endpoint endpoint) {
        return endpoint.pattern()
                .replace("{name}", "node-1")
                .replace("{change:delete|retrace}", "delete")
                .replace("{digest}", "sha256:" + "0".repeat(64))
                .replace("{chain}", "sha256:" + "0".repeat(64))
                .replace("{id}", "none")
                .replace("/**", "/nothing");
    }

    private static List<Entry<Endpoint, Requirement>> administrators() {
        return service.part(EndpointTable.class).all().entrySet().stream()
                .filter(entry -> entry.getValue() instanceof Requirement.OneOf oneOf
                        && !oneOf.scopes().contains(Scope.NODE))
                .filter(entry -> !entry.getKey().pattern().endsWith("/stream"))
                .toList();
    }

    @Test
    void noSpellingLeadsAroundTheTable() throws Exception {
        for (Entry<Endpoint, Requirement> entry : administrators()) {
            Endpoint endpoint = entry.getKey();
            String method = endpoint.method().equals(Endpoint.ANY) ? "GET" : endpoint.method();
            for (String spelling : spellings(path(endpoint)).toList()) {
                for (String token : List.of("", "Authorization: Bearer " + node + "\r\n")) {
                    int status = status(method, spelling, token);
                    assertThat(status).as("%s %s", method, spelling).isBetween(300, 499);
                }
            }
        }
    }

    @Test
    void noMethodLeadsAroundTheTable() throws Exception {
        for (Entry<Endpoint, Requirement> entry : administrators()) {
            String path = path(entry.getKey());
            String token = "Authorization: Bearer " + node + "\r\n";
            for (String header : List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override")) {
                assertThat(status("POST", path, token + header + ": DELETE\r\n"))
                        .as("%s", path)
                        .isBetween(300, 499);
            }
            for (String header : List.of("X-Original-URL", "X-Rewrite-URL", "X-Forwarded-Prefix")) {
                assertThat(status("GET", path, "X-Forwarded-For: 127.0.0.1\r\n" + header + ": /v1/health\r\n"))
                        .as("%s", path)
                        .isBetween(300, 499);
            }
            for (String method : List.of("HEAD", "get", "TRACE", "PROPFIND", "PATCH")) {
                assertThat(status(method, path, token))
                        .as("%s %s", method, path)
                        .isBetween(300, 501);
            }
        }
    }

    private static int status(String method, String path, String headers) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), service.base().getPort())) {
            socket.getOutputStream()
                    .write((method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + headers
                                    + "Content-Length: 0\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            return Integer.parseInt(answer.split(" ", 3)[1]);
        }
    }
}
