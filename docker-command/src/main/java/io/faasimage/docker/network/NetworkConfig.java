package io.faasimage.docker.network;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The bridge of the containers.
 *
 * @param bridge the interface's name, at most 15 characters
 * @param subnet addresses of the containers, as {@code 10.203.0.0/16}
 * @param masquerade whether containers reach other networks under the host's address
 * @param plugins where CNI plugins are; empty for the usual places
 * @param leases directory of the addresses in use, empty after the machine has booted
 */
public record NetworkConfig(String bridge, String subnet, boolean masquerade, Optional<Path> plugins, Path leases) {
    /** Checks the words. */
    public NetworkConfig {
        if (!bridge.matches("[A-Za-z0-9_.-]{1,15}")) {
            throw new IllegalArgumentException("not an interface's name: '" + bridge + "'; at most 15 characters");
        }
        if (!subnet.matches("[0-9]{1,3}(?:\\.[0-9]{1,3}){3}/[0-9]{1,2}")) {
            throw new IllegalArgumentException("not a subnet: '" + subnet + "'; write 10.203.0.0/16");
        }
    }
}
