package io.faasimage.node.record;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The TCP ports that are listened on in a container's network namespace. Nothing is sent there: the kernel's tables are read.
 *
 * @param process the container's first
 * @param seen ports that were listened on at an earlier look
 * @see <a href="https://docs.kernel.org/networking/proc_net_tcp.html">proc_net_tcp</a>
 */
record ListeningPorts(Path process, Set<String> seen) {
    private static final Path OWN = Path.of("/proc/self");
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final String LISTEN = "0A";

    ListeningPorts(int pid) {
        this(Path.of("/proc", Integer.toString(pid)), new HashSet<>());
    }

    /** Whether the container is in a network namespace of its own; what others listen on would be taken for its ports else. */
    boolean areOwn() throws IOException {
        return !Files.readSymbolicLink(process.resolve("ns/net")).equals(Files.readSymbolicLink(OWN.resolve("ns/net")));
    }

    /**
     * Whether a port is listened on now that was not at the last look.
     *
     * @throws IOException when the process is gone
     */
    boolean haveGrown() throws IOException {
        boolean grown = false;
        for (String table : List.of("tcp", "tcp6")) {
            Path file = process.resolve("net").resolve(table);
            if (Files.exists(file)) {
                grown |= seen.addAll(ports(Files.readString(file, StandardCharsets.US_ASCII)));
            }
        }
        return grown;
    }

    /** The local ports, in hexadecimal digits, of a table's listening sockets. */
    static Set<String> ports(String table) {
        Set<String> ports = new HashSet<>();
        table.lines().skip(1).map(line -> line.strip().split("\\s+", STATE + 2)).forEach(fields -> {
            if (fields.length > STATE && fields[STATE].equals(LISTEN)) {
                ports.add(fields[LOCAL].substring(fields[LOCAL].lastIndexOf(':') + 1));
            }
        });
        return ports;
    }
}
