package io.faasimage.docker.container;

/** The labels of containerd's records that hold what only this command knows. */
final class Labels {
    /** The container's name. */
    static final String NAME = "io.faasimage.docker/name";
    /** Its address in the network {@code bridge}. */
    static final String ADDRESS = "io.faasimage.docker/address";

    private Labels() {}
}
