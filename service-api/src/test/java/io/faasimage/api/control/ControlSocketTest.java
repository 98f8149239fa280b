package io.faasimage.api.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullOutcome;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.api.control.node.TaskProgress;
import io.faasimage.api.control.object.FetchRequest;
import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.format.id.Digest;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ControlSocketTest {
    @TempDir
    private Path dir;

    private static final Operation<FetchRequest, Empty, Empty> FETCH = ObjectOperations.FETCH;
    private static final FetchRequest OBJECT = new FetchRequest(Digest.of(new byte[] {1}));

    private ControlServer serve(ControlHandler<FetchRequest, Empty, Empty> handler) throws IOException {
        return ControlServer.start(dir.resolve("c.sock"), new ControlHandlers().on(FETCH, handler));
    }

    private ControlClient client() {
        return new ControlClient(dir.resolve("c.sock"));
    }

    /** The server's answer to one line, sent as it is. */
    private String answer(String line) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(dir.resolve("c.sock")))) {
            Channels.newOutputStream(channel).write((line + "\n").getBytes(StandardCharsets.UTF_8));
            return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void eventsComeBeforeTheResult() throws IOException {
        ControlHandlers handlers = new ControlHandlers().on(NodeOperations.PULL, (request, events) -> {
            events.accept(TaskProgress.plan("c"));
            events.accept(TaskProgress.objects(1, 2, 3));
            return new PullOutcome(
                    String.valueOf(request.image()), "", "", "", "", "größe\n2", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        });
        List<TaskProgress> events = new ArrayList<>();
        try (ControlServer _ = ControlServer.start(dir.resolve("c.sock"), handlers)) {
            PullOutcome result =
                    client().call(NodeOperations.PULL, new PullRequest("größe\n1", null, false), events::add);
            assertThat(result.image()).isEqualTo("größe\n1");
            assertThat(result.reason()).isEqualTo("größe\n2");
        }
        assertThat(events).containsExactly(TaskProgress.plan("c"), TaskProgress.objects(1, 2, 3));
        assertThat(Files.exists(dir.resolve("c.sock"))).isFalse();
    }

    @Test
    void linesAreAsTheyAlwaysWere() throws IOException {
        try (ControlServer _ = serve((request, events) -> {
            events.accept(new Empty());
            return new Empty();
        })) {
            assertThat(answer("{\"new\":[1,{\"x\":2.5}],\"object\":\"" + OBJECT.object() + "\",\"command\":\"fetch\"}"))
                    .isEqualTo("{\"event\":{\"alive\":true}}\n{\"result\":{\"held\":true}}\n");
            assertThat(answer("{\"command\":\"fetch\",\"object\":\"x\"}"))
                    .contains("{\"error\":\"'object' is not a digest");
            assertThat(answer("{\"command\":\"dance\"}"))
                    .isEqualTo("{\"error\":\"unknown command 'dance'; this socket supports fetch\"}\n");
            assertThat(answer("{}")).isEqualTo("{\"error\":\"the request has no 'command'\"}\n");
            assertThat(answer("")).isEqualTo("{\"error\":\"the request has no 'command'\"}\n");
            assertThat(answer("{\"command\":")).startsWith("{\"error\":\"not a JSON request: ");
        }
    }

    @Test
    void aWrongFieldIsNamed() throws IOException {
        ControlHandlers handlers = new ControlHandlers().on(NodeOperations.STOP, (request, events) -> new Empty());
        try (ControlServer _ = ControlServer.start(dir.resolve("c.sock"), handlers)) {
            assertThat(answer("{\"command\":\"stop\"}")).isEqualTo("{\"result\":{\"stopping\":true}}\n");
            assertThat(answer("{\"command\":\"stop\",\"gate\":[]}")).contains("error", "not a request of 'stop'");
        }
    }

    @Test
    void anErrorReachesTheCallerWithItsMessage() throws IOException {
        try (ControlServer _ = serve((request, events) -> {
            throw new IOException("the disk is full; free some space");
        })) {
            assertThatThrownBy(() -> client().call(FETCH, OBJECT))
                    .isInstanceOf(ControlException.class)
                    .hasMessage("the disk is full; free some space");
        }
    }

    @Test
    void aSecondServerOnALiveSocketIsRefusedAndADeadSocketIsReplaced() throws IOException {
        ControlHandler<FetchRequest, Empty, Empty> handler = (request, events) -> new Empty();
        try (ControlServer _ = serve(handler)) {
            assertThatThrownBy(() -> serve(handler)).hasMessageContaining("already listens");
        }
        Files.createFile(dir.resolve("c.sock"));
        try (ControlServer _ = serve(handler)) {
            assertThat(client().call(FETCH, OBJECT)).isEqualTo(new Empty());
        }
    }

    @Test
    void nobodyListening() {
        assertThatThrownBy(() -> client().call(FETCH, OBJECT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no answer");
    }
}
