package io.faasimage.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.control.ControlHandler;
import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.api.control.node.TaskProgress;
import io.faasimage.api.rest.Json;
import io.faasimage.cli.image.RegisterCommand;
import io.faasimage.cli.terminal.Output;
import io.faasimage.cli.terminal.Progress;
import io.faasimage.testing.LoopbackServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandLineTest {
    @TempDir
    private Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return Main.run(List.of(arguments), new PrintWriter(out), new PrintWriter(err));
    }

    private static ControlServer pulls(Path socket, ControlHandler<PullRequest, TaskProgress, PullOutcome> handler)
            throws IOException {
        return ControlServer.start(socket, new ControlHandlers().on(NodeOperations.PULL, handler));
    }

    private static PullOutcome outcome(String image, int objects, int missing) {
        return new PullOutcome(
                image, "", "", "default", "planned", null, 1, 1, 0, 0, objects, 0, missing, 0, 0, 0, 0, 0);
    }

    @Test
    void wrongUsageIsExitCodeTwo() {
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(run("pull")).isEqualTo(2);
        assertThat(run("node")).isEqualTo(2);
        assertThat(run("trace", "x", "--limit", "many")).isEqualTo(2);
    }

    @Test
    void anUnreachableServiceIsOneLineWithTheRemedy() {
        assertThat(run("functions", "--url", "http://127.0.0.1:1")).isEqualTo(3);
        assertThat(err.toString().strip().lines().toList())
                .singleElement()
                .asString()
                .contains("registry-service running");
    }

    @Test
    void anUnreachableNodeIsOneLineWithTheRemedy() {
        assertThat(run("pull", "x", "--node-socket", dir.resolve("none").toString()))
                .isEqualTo(3);
        assertThat(err.toString()).startsWith("error: no answer at");
    }

    @Test
    void aRefusalIsExitCodeOneAndSaysNothingToTheTerminal() throws IOException {
        Path socket = dir.resolve("n.sock");
        try (ControlServer server = pulls(socket, (request, events) -> {
            throw new IOException("no such image: \033]0;title\007x\nsecond line");
        })) {
            assertThat(run("pull", "x", "--node-socket", socket.toString())).isEqualTo(1);
        }
        assertThat(err.toString()).isEqualTo("error: no such image: ?]0;title?x second line\n");
    }

    @Test
    void aWrongValueIsExitCodeTwo() {
        assertThat(run("register", "r/x:1", "--start", "sometimes", "--url", "http://127.0.0.1:1"))
                .isEqualTo(2);
        assertThat(run("trace", "x", "--limit", "0")).isEqualTo(2);
    }

    @Test
    void quietPrintsNothing() throws IOException {
        Path socket = dir.resolve("n.sock");
        try (ControlServer server = pulls(socket, (request, events) -> {
            events.accept(TaskProgress.objects(1, 2, 3));
            return outcome("r/x:1", 124, 0);
        })) {
            assertThat(run("pull", "r/x:1", "--quiet", "--node-socket", socket.toString()))
                    .isZero();
        }
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void everyLevelHasItsHelp() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("usage: faasimage COMMAND", "  pull  ", "Exit codes:", "NO_COLOR");
        assertThat(run("node", "--help")).isZero();
        assertThat(out.toString()).contains("usage: faasimage node COMMAND", "  warm  ");
        assertThat(run("node", "warm", "-h")).isZero();
        assertThat(out.toString())
                .contains(
                        "usage: faasimage node warm [OPTION]... RUNTIME",
                        "--node-socket SOCKET",
                        "(default: $FAASIMAGE_NODE, else /run/faasimage/node.sock)");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void misspeltWordsAreAnsweredWithTheNearest() {
        assertMistake("unknown command 'pul' (did you mean pull?); see faasimage --help", "pul");
        assertMistake("unknown command 'xxxxxx'; see faasimage --help", "xxxxxx");
        assertMistake("unknown command 'wram' (did you mean warm?); see faasimage node --help", "node", "wram");
        assertMistake("missing command: one of show; see faasimage plan-key --help", "plan-key");
        assertMistake("unknown option '--wiat' (did you mean --wait?); see faasimage pull --help", "pull", "--wiat");
        assertMistake("IMAGE is missing; see faasimage pull --help", "pull");
        assertMistake("unexpected argument 'y'; see faasimage pull --help", "pull", "x", "y");
        assertMistake("--limit must be N, not 'many'; see faasimage starts --help", "starts", "--limit", "many");
        assertMistake("--namespace needs a value; see faasimage pull --help", "pull", "x", "--namespace", "--wait");
        assertMistake(
                "--wait must be true or false, not 'maybe'; see faasimage pull --help", "pull", "x", "--wait=maybe");
    }

    private void assertMistake(String message, String... arguments) {
        err.getBuffer().setLength(0);
        assertThat(run(arguments)).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("error: " + message + "\n");
    }

    @Test
    void pullPrintsOneJsonDocumentAndProgressElsewhere() throws IOException {
        Path socket = dir.resolve("n.sock");
        try (ControlServer server = pulls(socket, (request, events) -> {
            events.accept(TaskProgress.objects(1, 2, 3));
            return outcome(String.valueOf(request.image()), 124, 0);
        })) {
            assertThat(run("pull", "r/x:1", "--node-socket", socket.toString(), "--json"))
                    .isZero();
        }
        assertThat(Json.mapper().readTree(out.toString()).get("image").asString())
                .isEqualTo("r/x:1");
        assertThat(err.toString()).contains("objects");
    }

    @Test
    void aPullThatWaitsAndGotNotAllIsAFailure() throws IOException {
        Path socket = dir.resolve("node.sock");
        try (ControlServer server = pulls(socket, (request, events) -> outcome("r/x:1", 124, 477))) {
            assertThat(run("pull", "r/x:1", "--wait", "--node-socket", socket.toString()))
                    .isEqualTo(1);
            assertThat(err.toString()).contains("477 objects", "r/x:1", "faasimage node status");
            assertThat(run("pull", "r/x:1", "--node-socket", socket.toString())).isZero();
        }
    }

    @Test
    void theTokenIsSentAndFunctionsAreATable() throws IOException {
        try (LoopbackServer http = new LoopbackServer().on("/v1/functions", exchange -> {
            boolean allowed =
                    "Bearer secret".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            String body = allowed
                    ? "[{\"name\":\"größe\",\"image\":\"r/x:1\",\"digest\":\"sha256:0123456789abcdef\","
                            + "\"state\":\"PLANNED\",\"created\":\"2026-01-01T00:00:00Z\"}]"
                    : "{\"status\":401,\"detail\":\"no token\"}";
            LoopbackServer.send(exchange, allowed ? 200 : 401, body);
        })) {
            String url = http.address().toString();
            assertThat(run("functions", "--url", url, "--token", "wrong")).isEqualTo(1);
            assertThat(err.toString()).contains("FAASIMAGE_TOKEN");
            assertThat(run("functions", "--url", url, "--token", "secret")).isZero();
            assertThat(run("functions", "--url", url, "--token", "secret", "-q"))
                    .isZero();
        }
        assertThat(out.toString())
                .contains("größe", "PLANNED", "0123456789ab")
                .doesNotContain("abcdef")
                .endsWith("\ngröße\n");
    }

    @Test
    void aNewTokenIsAllThatIsPrintedToTheOutput() throws IOException {
        List<String> sent = new CopyOnWriteArrayList<>();
        try (LoopbackServer http = new LoopbackServer().on("/v1/tokens", exchange -> {
            sent.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            String body = "{\"token\":\"fsi_1_2\",\"info\":{\"id\":\"1\",\"name\":\"ci\",\"kind\":\"token\","
                    + "\"scopes\":[\"deploy\"],\"created\":\"2026-01-01T00:00:00Z\"}}";
            LoopbackServer.send(exchange, 201, body);
        })) {
            String url = http.address().toString();
            assertThat(run("token", "create", "ci", "--scope", "deploy,view", "--expires", "30d", "--url", url))
                    .isZero();
            assertThat(sent)
                    .singleElement()
                    .asString()
                    .contains("\"scopes\":[\"deploy\",\"view\"]", "\"expiresIn\":2592000");
            assertThat(out.toString()).isEqualTo("fsi_1_2\n");
            assertThat(err.toString()).contains("ID 1", "cannot be shown again");
            assertThat(run("token", "create", "ci", "--scope", "deploy", "--quiet", "--url", url))
                    .isZero();
            assertThat(out.toString()).isEqualTo("fsi_1_2\nfsi_1_2\n");
            assertThat(run("token", "create", "ci", "--scope", "all", "--url", url))
                    .isEqualTo(2);
            assertThat(run("token", "create", "ci", "--enrol", "--expires", "soon", "--url", url))
                    .isEqualTo(2);
        }
    }

    @Test
    void theAuditLogIsListedAndExported(@TempDir Path directory) throws IOException {
        List<String> asked = new CopyOnWriteArrayList<>();
        String record = "{\"id\":7,\"at\":\"2026-01-01T00:00:00.5Z\",\"actor\":\"service\",\"name\":\"the service's own"
                + " token\",\"address\":\"192.0.2.1\",\"action\":\"function.delete\",\"object\":\"hello\","
                + "\"before\":{\"image\":\"a:1\"},\"request\":\"r\"}";
        try (LoopbackServer http = new LoopbackServer().on("/v1/audit", exchange -> {
            asked.add(exchange.getRequestURI().toString());
            boolean export = exchange.getRequestURI().getPath().endsWith("/export");
            String body = export ? record + "\n" : "{\"items\":[" + record + "]}";
            LoopbackServer.send(exchange, 200, body);
        })) {
            String url = http.address().toString();
            assertThat(run("audit", "--object", "he llo", "--action", "function", "--url", url))
                    .isZero();
            assertThat(out.toString()).contains("2026-01-01T00:00:00Z", "function.delete", "hello");
            assertThat(asked.getLast()).isEqualTo("/v1/audit?action=function&object=he%20llo&limit=50");
            Path file = directory.resolve("audit.ndjson");
            assertThat(run("audit", "--since", "2026-01-01T00:00:00Z", "--export", file.toString(), "--url", url))
                    .isZero();
            assertThat(asked.getLast()).isEqualTo("/v1/audit/export?from=2026-01-01T00%3A00%3A00Z");
            assertThat(file).hasContent(record);
            assertThat(run("audit", "--since", "yesterday", "--url", url)).isEqualTo(2);
        }
    }

    @Test
    void theDefaultNameIsTheRepositorysLastPart() {
        assertThat(RegisterCommand.defaultName("host:5000/a/Hello:1")).isEqualTo("hello");
        assertThat(RegisterCommand.defaultName("host:5000/hello")).isEqualTo("hello");
        assertThat(RegisterCommand.defaultName("hello@sha256:00")).isEqualTo("hello");
    }

    @Test
    void bytesAndProgressForPeople() {
        assertThat(Output.bytes(999)).isEqualTo("999 B");
        assertThat(Output.bytes(999_949)).isEqualTo("999.9 kB");
        assertThat(Output.bytes(999_950)).isEqualTo("1.0 MB");
        assertThat(Output.percent(1, 0)).isEqualTo("-");
        assertThat(Progress.line("x", 5, 10)).isEqualTo("[###############...............] 50 % x");
        assertThat(Progress.line("x", 50, 10)).contains("100 %");
        assertThat(Progress.line("x", 3, 0)).isEqualTo("x 3");
    }
}
