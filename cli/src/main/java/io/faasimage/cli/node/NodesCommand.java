package io.faasimage.cli.node;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.node.NodeInfo;
import io.faasimage.cli.command.ServiceCommand;
import java.io.IOException;
import java.time.Instant;

/** {@code faasimage nodes}. */
public final class NodesCommand extends ServiceCommand {
    @Override
    protected void run(ServiceClient registry) throws IOException {
        Instant now = Instant.now();
        output.list(registry.nodes(), NodeInfo::name, NodeRows.table(), node -> NodeRows.cells(node, now));
    }
}
