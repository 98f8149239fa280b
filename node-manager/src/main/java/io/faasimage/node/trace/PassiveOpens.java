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
