package io.faasimage.docker.daemon;

import io.faasimage.docker.network.NetworkConfig;
import java.nio.file.Path;

/**
 * The daemon's settings.
 *
 * @param root state: what Docker keeps below {@code /var/lib/docker}
 * @param run sockets and pipes
 * @param containerd containerd's socket
 * @param namespace containerd's namespace of images and containers
 * @param snapshotter the node agent's name in containerd's configuration
 * @param agent the node agent's control socket
 * @param network the bridge
 */
record DaemonConfig(
        Path root, Path run, Path containerd, String namespace, String snapshotter, Path agent, NetworkConfig network) {
    /** Checks the names. */
    DaemonConfig {
        if (namespace.length() > 76 || !namespace.matches("[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*")) {
            throw new IllegalArgumentException("not a namespace of containerd: '" + namespace + "'");
        }
    }

    Path socket() {
        return run.resolve("docker.sock");
    }

    Path containers() {
        return root.resolve("containers");
    }

    Path pipes() {
        return run.resolve("docker");
    }
}
