package io.faasimage.cli;

import io.faasimage.api.NodeInfo;
import io.faasimage.api.RegistryClient;
import java.io.IOException;
import java.time.Instant;
import picocli.CommandLine.Command;

/** {@code faasimage nodes}. */
@Command(name = "nodes", description = "Lists the nodes that told registry-service of themselves.")
final class NodesCommand extends RegistryCommand {
    @Override
    void run(RegistryClient registry) throws IOException {
        Instant now = Instant.now();
        output.list(registry.nodes(), NodeInfo::name, NodeRows.table(), node -> NodeRows.cells(node, now));
    }
}
