package io.faasimage.node.record;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * The TCP ports that a container's own processes listen on, whether its network namespace is its own, a pod's or the
 * host's. Nothing is sent there: of the listening sockets in the kernel's tables those count that are held by the
 * container's first process or one below it.
 *
 * <p>The kernel goes through all connections of the machine, and all room for more, for a reader of the tables to
 * where sockets no longer listen: that takes milliseconds where there is much memory. So a look reads the tables only
 * when the namespace has another number of TCP sockets than at the last one, and when that was {@link #SURE} ago.
 * Processes are read only when a socket listens that did not at the last look. Of both, sockets and what processes have
 * (descriptors, threads, children), a look reads {@link #MOST_READ} at most; with more it is unclear which ports are
 * the container's. Not thread-safe.
 *
 * @see <a href="https://docs.kernel.org/networking/proc_net_tcp.html">proc_net_tcp</a>
 */
final class ListeningPorts {
    /** Takes a few milliseconds. */
    static final int MOST_READ = 2048;

    /** A socket that listens since another has ended between two looks is found by the first look after this time. */
    static final Duration SURE = Duration.ofMillis(200);

    /** Without it, as on kernels without CONFIG_PROC_CHILDREN, nobody knows what is below a process. */
    private static final boolean CHILDREN_TOLD = Files.exists(Path.of("/proc/thread-self/children"));

    /** Of sockets that are bound or connected; those of other kinds and states do not matter. */
    private static final Pattern IN_USE = Pattern.compile("(?m)^TCP6?: inuse \\d+");

    private static final Pattern BLANKS = Pattern.compile(" +");
    private static final int LOCAL = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTEN = "0A";

    private final int pid;
    private final int most;
    private final Set<String> ports = new HashSet<>();
    /** Sockets of which it is known whether the container has them. */
    private final Set<String> known = new HashSet<>();
    /** How many sockets there were when the tables were read; empty when they are to be read. */
    private List<String> counted = List.of();

    private long readAt;

    /** What a look found. */
    enum Look {
        /** No port that was not there at an earlier look. */
        SAME,
        /** A port that is listened on since. */
        GROWN,
        /** It cannot be determined which ports are the container's. */
        UNCLEAR
    }

    /** Of the container whose first process is {@code pid}. */
    ListeningPorts(int pid) {
        this(pid, MOST_READ);
    }

    /** As above, of which a look reads {@code most}. */
    ListeningPorts(int pid, int most) {
        this.pid = pid;
        this.most = most;
    }

    /**
     * Looks whether a port is listened on now that was not at an earlier look.
     *
     * @throws IOException when the process is gone
     */
    Look look() throws IOException {
        Path tables = Path.of("/proc", Integer.toString(pid), "net");
        List<String> counts = counts(tables);
        if (!counts.isEmpty() && counts.equals(counted) && System.nanoTime() - readAt < SURE.toNanos()) {
            return Look.SAME;
        }
        counted = counts;
        readAt = System.nanoTime();
        Map<String, String> sockets = new HashMap<>();
        read(tables.resolve("tcp"), sockets);
        try {
            read(tables.resolve("tcp6"), sockets);
        } catch (NoSuchFileException e) {
            // A kernel without IPv6.
        }
        if (!CHILDREN_TOLD || sockets.size() > most) {
            return Look.UNCLEAR;
        }
        known.retainAll(sockets.keySet());
        sockets.keySet().removeAll(known);
        sockets.values().removeAll(ports);
        return sockets.isEmpty() ? Look.SAME : search(sockets);
    }

    private Look search(Map<String, String> sockets) {
        SocketSearch search = new SocketSearch(sockets.keySet(), most).below(pid);
        Set<String> missing = search.missing();
        if (!missing.isEmpty() && search.isCut()) {
            return Look.UNCLEAR;
        }
        if (search.isWhole()) {
            known.addAll(missing);
        } else {
            counted = List.of();
        }
        sockets.keySet().removeAll(missing);
        known.addAll(sockets.keySet());
        return ports.addAll(sockets.values()) ? Look.GROWN : Look.SAME;
    }

    private static List<String> counts(Path tables) throws IOException {
        List<String> counts = new ArrayList<>();
        for (String file : List.of("sockstat", "sockstat6")) {
            try {
                IN_USE.matcher(Files.readString(tables.resolve(file), StandardCharsets.US_ASCII))
                        .results()
                        .map(MatchResult::group)
                        .forEach(counts::add);
            } catch (NoSuchFileException e) {
                // A kernel without IPv6; or the process is gone, and its tables too.
            }
        }
        return counts;
    }

    private void read(Path table, Map<String, String> sockets) throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
            sockets.putAll(listening(lines, most + 1));
        }
    }

    /**
     * The local ports, in hexadecimal digits, of a table's listening sockets; {@code most} of them, named as links to
     * them are.
     */
    static Map<String, String> listening(BufferedReader table, int most) throws IOException {
        Map<String, String> sockets = new HashMap<>();
        table.readLine();
        for (String line = table.readLine(); line != null && sockets.size() < most; line = table.readLine()) {
            String[] fields = BLANKS.split(line.strip(), INODE + 2);
            if (fields.length <= INODE || !fields[STATE].equals(LISTEN)) {
                break;
            }
            sockets.put("socket:[" + fields[INODE] + "]", fields[LOCAL].substring(fields[LOCAL].lastIndexOf(':') + 1));
        }
        return sockets;
    }
}
