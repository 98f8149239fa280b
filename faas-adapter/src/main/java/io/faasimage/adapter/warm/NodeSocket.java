package io.faasimage.adapter.warm;

import io.faasimage.api.concurrent.TimedCall;
import io.faasimage.api.control.ControlClient;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.WarmRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A node agent behind its control socket on this machine. Thread-safe. */
public final class NodeSocket implements WarmHints.Node {
    private final Path socket;
    private final ControlClient client;
    private final Duration limit;

    /**
     * The agent that listens at {@code socket}.
     *
     * @param limit for its answer
     */
    public NodeSocket(Path socket, Duration limit) {
        this.socket = socket;
        this.client = new ControlClient(socket);
        this.limit = limit;
    }

    @Override
    public void warm(String chain) throws IOException {
        try {
            TimedCall.run("node-warm", limit, () -> client.call(NodeOperations.WARM, WarmRequest.ofChain(chain)));
        } catch (TimedCall.Late e) {
            throw new IOException("the node agent at " + socket + " did not answer in " + limit.toSeconds() + " s", e);
        }
    }
}
