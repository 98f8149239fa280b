package io.faasimage.cli.tune;

import io.faasimage.cli.command.Connections;
import io.faasimage.linux.KernelVersion;
import java.io.IOException;
import java.util.Optional;

/** Writable layers of containers that are never flushed ({@code volatile} of overlayfs), mounted by the node agent. */
final class VolatileOption extends AgentOption {
    /** First with the option. */
    private static final KernelVersion KERNEL = new KernelVersion(5, 10);

    VolatileOption(Connections connections) {
        super(
                connections,
                "--mount-options volatile",
                tuning -> tuning.mountOptions().contains("volatile"));
    }

    @Override
    public String name() {
        return "volatile";
    }

    @Override
    public String effect() {
        return "mounts and unmounts of a container's writable layer do not flush its file system";
    }

    @Override
    public String risk() {
        return "after a crash of the machine a container's own files are lost, and it must be created anew";
    }

    @Override
    Optional<String> obstacle() throws IOException {
        KernelVersion running = KernelVersion.running();
        return running.atLeast(KERNEL)
                ? Optional.empty()
                : Optional.of("overlayfs has it from Linux " + KERNEL + " on; this is " + running);
    }
}
