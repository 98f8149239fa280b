package io.faasimage.docker.spec;

import java.nio.file.Path;

/**
 * Where a container is.
 *
 * @param id its ID, 64 hexadecimal digits
 * @param namespace containerd's namespace
 * @param networkNamespace file of its network namespace
 * @param files directory with its {@code hostname}, {@code hosts} and {@code resolv.conf}
 */
public record ContainerPlace(String id, String namespace, Path networkNamespace, Path files) {
    /** The name of the host that the container sees. */
    public String hostname() {
        return id.substring(0, 12);
    }
}
