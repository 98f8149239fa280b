package io.faasimage.cli.tune;

import io.faasimage.api.control.node.NodeStatus;
import io.faasimage.cli.command.Connections;
import io.faasimage.linux.IsolatedProcessors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Expedited RCU grace periods while containers start, which the node agent turns on and off. */
final class ExpeditedRcuOption extends AgentOption {
    private final Path system;

    /**
     * The agent's option.
     *
     * @param system the root of {@code /sys}
     */
    ExpeditedRcuOption(Connections connections, Path system) {
        super(connections, "--expedite-rcu yes", NodeStatus.Tuning::expediteRcu);
        this.system = system;
    }

    @Override
    public String name() {
        return "expedited-rcu";
    }

    @Override
    public String effect() {
        return "joining a cgroup and unmounting wait for shorter RCU grace periods";
    }

    @Override
    public String risk() {
        return "interrupts all processors while containers start";
    }

    @Override
    Optional<String> obstacle() throws IOException {
        if (!Files.exists(system.resolve("kernel/rcu_expedited"))) {
            return Optional.of("this kernel has no switch /sys/kernel/rcu_expedited");
        }
        return IsolatedProcessors.find(system).map(list -> "it would interrupt isolated processors, " + list);
    }
}
