package io.faasimage.node.trace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * The number of TCP connections that the network namespace of the calling thread has accepted ({@code PassiveOpens} of
 * RFC 4022, in {@code /proc/net/snmp}). Stateless.
 */
final class PassiveOpens {
    private static final Path FILE = Path.of("/proc/thread-self/net/snmp");
    private static final String ROW = "Tcp:";

    private PassiveOpens() {}

    /** The count now; empty when the kernel does not show it. */
    static OptionalLong read() {
        try {
            return parse(Files.readAllLines(FILE));
        } catch (IOException e) {
            // Then it is not known who else has connected.
            return OptionalLong.empty();
        }
    }

    /**
     * Whether nothing but a probe has connected to a function before it was found ready.
     *
     * @param before the count before the first attempt; empty when it is not known
     * @param now the count after the one that succeeded; empty when it is not known
     * @param own connections of the probe
     * @param unreadyBefore whether an attempt found the function not ready, so that what was accepted before the first
     *     one cannot have been a request; otherwise the connections since the namespace was made must be the probe's
     */
    static boolean areOwn(OptionalLong before, OptionalLong now, int own, boolean unreadyBefore) {
        return before.isPresent()
                && now.isPresent()
                && now.getAsLong() - (unreadyBefore ? before.getAsLong() : 0) <= own;
    }

    /** The count in the file's two lines about TCP: names, then numbers. */
    static OptionalLong parse(List<String> lines) {
        List<List<String>> rows = lines.stream()
                .filter(line -> line.startsWith(ROW))
                .map(line -> List.of(line.split(" ", -1)))
                .toList();
        int column = rows.size() < 2 ? -1 : rows.getFirst().indexOf("PassiveOpens");
        return column < 0 || column >= rows.get(1).size()
                ? OptionalLong.empty()
                : OptionalLong.of(Long.parseLong(rows.get(1).get(column)));
    }
}
