package io.faasimage.cli.profile;

import com.fasterxml.jackson.annotation.JsonValue;

/** One of the programs that a start passes through, from the client to the container's own process. */
enum Part {
    /** The client: everything before containerd begins, and the time in which no traced program works. */
    CLIENT("client"),
    /** containerd and what it runs, but for the shim. */
    CONTAINERD("containerd"),
    /** The shim. */
    SHIM("shim"),
    /** The OCI runtime, runc or another one, outside of the container. */
    RUNTIME("runtime"),
    /** The OCI runtime inside of the container, which becomes the container's first process. */
    INIT("init");

    private final String label;

    Part(String label) {
        this.label = label;
    }

    /** Its name in tables and in JSON. */
    @JsonValue
    String label() {
        return label;
    }
}
