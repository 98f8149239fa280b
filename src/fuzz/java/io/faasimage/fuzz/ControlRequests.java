package io.faasimage.fuzz;

import io.faasimage.api.control.ControlHandlers;
import io.faasimage.api.control.ControlServer;
import io.faasimage.api.control.Empty;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PruneOutcome;
import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.api.rest.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Requests to a control socket: each, valid or not, is answered by one line. */
final class ControlRequests {
    private static final Path SOCKET = serve();

    private ControlRequests() {}

    private static Path serve() {
        try {
            Path socket = Files.createTempDirectory("fuzz").resolve("control.sock");
            ControlServer.start(
                    socket,
                    new ControlHandlers()
                            .on(ObjectOperations.FETCH, (request, events) -> new Empty())
                            .on(NodeOperations.PRUNE, (request, events) -> new PruneOutcome(0, 0, 0, 0, 0, 0)));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends one line. */
    static void send(byte[] input) throws IOException {
        int length = 0;
        while (length < input.length && input[length] != '\n') {
            length++;
        }
        ByteBuffer line = ByteBuffer.allocate(length + 1)
                .put(input, 0, length)
                .put((byte) '\n')
                .flip();
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(SOCKET))) {
            while (line.hasRemaining()) {
                channel.write(line);
            }
            var answer = Json.mapper().readTree(Channels.newInputStream(channel).readAllBytes());
            if (answer.has("error") == answer.has("result")) {
                throw new AssertionError("neither an error nor a result: " + answer);
            }
        }
    }
}
