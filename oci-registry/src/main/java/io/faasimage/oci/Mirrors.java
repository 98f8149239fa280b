package io.faasimage.oci;

import java.io.IOException;
import java.util.List;

/** The hosts at which the administrator lets content of registries be read. Thread-safe. */
@FunctionalInterface
public interface Mirrors {
    /** Each registry itself, alone. */
    Mirrors NONE = _ -> List.of();

    /**
     * The hosts of a registry, to be tried in this order: its mirrors, and then the registry itself, or the server in
     * its place. Empty when nothing is configured for the registry.
     *
     * @param registry as references name it
     * @throws IOException when the configuration cannot be used; the message names the file and what is wrong
     */
    List<RegistryHost> of(String registry) throws IOException;
}
