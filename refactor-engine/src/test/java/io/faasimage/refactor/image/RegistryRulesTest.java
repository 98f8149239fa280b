package io.faasimage.refactor.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.id.Digest;
import io.faasimage.oci.AddressRange;
import io.faasimage.oci.HostNames;
import io.faasimage.oci.HostRules;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A registry that is allowed and leads to a host that is not: both are this machine, the one as {@code localhost}, the
 * other as {@code 127.0.0.1}.
 */
@Timeout(60)
class RegistryRulesTest {
    private static final Platform AMD64 = Platform.parse("linux/amd64");
    private static final String SECRET = "the-content-of-another-service";
    private static final HostRules RULES = new HostRules(
            HostNames.NONE, HostNames.NONE, new HostNames(List.of("localhost")), Set.of(AddressRange.LOOPBACK));

    @SuppressWarnings("NullAway.Init")
    private PlainServer registry;

    @SuppressWarnings("NullAway.Init")
    private PlainServer inside;

    private final List<String> reached = new CopyOnWriteArrayList<>();
    private volatile String answer = PlainServer.answer("404 Not Found", "");

    @BeforeEach
    void start() throws IOException {
        registry = new PlainServer(path -> path.equals("/v2/") ? PlainServer.answer("200 OK", "{}") : answer);
        inside = new PlainServer(path -> {
            reached.add(path);
            return PlainServer.answer("200 OK", SECRET);
        });
    }

    @AfterEach
    void stop() throws IOException {
        registry.close();
        inside.close();
    }

    private String redirection() {
        return PlainServer.answer(
                "307 Temporary Redirect", "", "Location: http://127.0.0.1:" + inside.port() + "/latest/meta-data");
    }

    private ImageSource open(HostRules rules) throws IOException {
        ImageLocation location = ImageLocation.parse("localhost:" + registry.port() + "/example/app:1");
        return ImageSources.open(location, SourceOptions.defaults().withRules(rules));
    }

    private RefactorException failure(HostRules rules) throws IOException {
        try (ImageSource source = open(rules)) {
            source.resolve(AMD64);
        } catch (RefactorException e) {
            return e;
        }
        throw new AssertionError("it was resolved");
    }

    @Test
    void aRedirectionIsCheckedLikeTheRegistry() throws Exception {
        answer = redirection();
        RefactorException refused = failure(RULES);
        assertThat(refused.kind()).isEqualTo(Kind.BAD_REQUEST);
        assertThat(refused)
                .hasMessageContaining("127.0.0.1 has a loopback address")
                .hasMessageContaining("--faasimage.internal-registries=127.0.0.1");
        assertThat(reached).isEmpty();
    }

    @Test
    void aRangeIsNotReadWhereTheRegistryMayNotLead() throws Exception {
        answer = redirection();
        LayerDescriptor layer = new LayerDescriptor(Digest.of(new byte[1]), 1_000, "application/octet-stream");
        try (ImageSource source = open(RULES)) {
            assertThat(source.range(layer, 0, SECRET.length())).isEmpty();
            assertThatThrownBy(() -> source.openLayer(layer).readAllBytes())
                    .hasMessageContaining("127.0.0.1 has a loopback address");
        }
        assertThat(reached).isEmpty();
    }

    @Test
    void aTokenServiceIsCheckedToo() throws Exception {
        registry.close();
        registry = new PlainServer(_ -> PlainServer.answer(
                "401 Unauthorized",
                "",
                "WWW-Authenticate: Bearer realm=\"http://127.0.0.1:" + inside.port() + "/token\",service=\"s\""));
        assertThat(failure(RULES)).hasMessageContaining("127.0.0.1 has a loopback address");
        assertThat(reached).isEmpty();
    }

    @Test
    void aRegistryThatIsNotListedIsNotAskedAtAll() throws Exception {
        registry.close();
        registry = new PlainServer(path -> {
            reached.add(path);
            return PlainServer.answer("404 Not Found", "");
        });
        HostRules listed =
                new HostRules(new HostNames(List.of("registry.example.com")), HostNames.NONE, HostNames.NONE, Set.of());
        assertThat(failure(listed)).hasMessageContaining("--faasimage.allowed-registries");
        assertThat(failure(
                        new HostRules(HostNames.NONE, HostNames.NONE, HostNames.NONE, Set.of(AddressRange.LOOPBACK))))
                .hasMessageContaining("localhost has a loopback address");
        assertThat(reached).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"line", "headers", "error", "token"})
    void whatIsLongInAnAnswerIsCutOff(String where) throws Exception {
        String much = "a".repeat(32 << 20);
        String ok = "HTTP/1.1 200 OK\r\nConnection: close\r\n";
        answer = switch (where) {
            case "line" -> ok + "X: " + much;
            case "headers" -> ok + "X: aaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n".repeat(1 << 20);
            case "error" -> "HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n" + much;
            default -> ok + "\r\n" + " ".repeat(32 << 20);
        };
        if (where.equals("token")) {
            registry.close();
            registry = new PlainServer(path -> path.startsWith("/token")
                    ? answer
                    : PlainServer.answer(
                            "401 Unauthorized",
                            "",
                            "WWW-Authenticate: Bearer realm=\"http://localhost:" + registry.port()
                                    + "/token\",service=\"s\""));
        }
        Thread resolve = Thread.ofVirtual().start(new FutureTask<>(() -> failure(HostRules.OPEN)));
        assertThat(registry.cutOff().tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        // It would be tried again, with growing pauses.
        resolve.interrupt();
        resolve.join();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 400, 401, 403, 404, 405, 409})
    void noMessageTellsWhatTheRegistryAnswers(int status) throws Exception {
        answer = PlainServer.answer(status + " Status", SECRET);
        assertThat(messages(failure(HostRules.OPEN))).doesNotContain(SECRET);
        answer = PlainServer.answer(
                status + " Status", "{\"errors\":[{\"code\":\"DENIED\",\"message\":\"" + SECRET + "\"}]}");
        String message = messages(failure(HostRules.OPEN));
        assertThat(message).doesNotContain(SECRET);
        if (status >= 403) {
            assertThat(message).contains("DENIED");
        }
        answer = PlainServer.answer(
                status + " Status",
                "{\"schemaVersion\":2,\"config\":{\"digest\":\"" + SECRET + "\",\"size\":1},\"layers\":[{\"digest\":\""
                        + SECRET + "\",\"size\":1}]}");
        assertThat(messages(failure(HostRules.OPEN))).doesNotContain(SECRET);
    }

    /** The messages that a client gets. */
    private static String messages(RefactorException failure) {
        return String.valueOf(failure.getMessage());
    }
}
