package io.faasimage.docker.spec;

import java.util.List;

/** What a container's root may do: Docker's own default, less what is dropped. */
final class Capabilities {
    private static final List<String> DEFAULT = List.of(
            "CAP_CHOWN",
            "CAP_DAC_OVERRIDE",
            "CAP_FSETID",
            "CAP_FOWNER",
            "CAP_MKNOD",
            "CAP_NET_RAW",
            "CAP_SETGID",
            "CAP_SETUID",
            "CAP_SETFCAP",
            "CAP_SETPCAP",
            "CAP_NET_BIND_SERVICE",
            "CAP_SYS_CHROOT",
            "CAP_KILL",
            "CAP_AUDIT_WRITE");

    private Capabilities() {}

    static List<String> without(List<String> dropped) {
        if (dropped.contains("ALL")) {
            return List.of();
        }
        return DEFAULT.stream()
                .filter(c -> !dropped.contains(c) && !dropped.contains(c.substring("CAP_".length())))
                .toList();
    }
}
