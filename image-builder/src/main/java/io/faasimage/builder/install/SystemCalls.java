package io.faasimage.builder.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The seccomp profile of an installation's container: what is not in {@code system-calls.txt} is refused.
 *
 * @see <a href="https://man7.org/linux/man-pages/man2/seccomp.2.html">seccomp(2)</a>
 */
final class SystemCalls {
    private static final String ALLOWED = "system-calls.txt";
    private static final String ALLOW = "SCMP_ACT_ALLOW";
    private static final String ERROR = "SCMP_ACT_ERRNO";
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;

    /** All CLONE_NEW flags that clone(2) takes. */
    private static final long NEW_NAMESPACES = 0x7E02_0000L;

    /** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK, by which interfaces are listed. */
    private static final List<Integer> FAMILIES = List.of(1, 2, 10, 16);

    private SystemCalls() {}

    /** The profile as a tree for JSON; the architecture is the machine's own, and no other may be used. */
    static Map<String, Object> profile() {
        List<Map<String, Object>> rules = new ArrayList<>();
        rules.add(Map.of("names", allowed(), "action", ALLOW));
        rules.add(Map.of(
                "names", List.of("clone"), "action", ALLOW, "args", List.of(argument(NEW_NAMESPACES, "MASKED_EQ"))));
        // Its flags are in memory, which a filter cannot read; the C library uses clone then.
        rules.add(Map.of("names", List.of("clone3"), "action", ERROR, "errnoRet", ENOSYS));
        for (int family : FAMILIES) {
            rules.add(Map.of("names", List.of("socket"), "action", ALLOW, "args", List.of(argument(family, "EQ"))));
        }
        return Map.of("defaultAction", ERROR, "defaultErrnoRet", EPERM, "syscalls", rules);
    }

    private static Map<String, Object> argument(long value, String operator) {
        Map<String, Object> argument = new LinkedHashMap<>();
        argument.put("index", 0);
        argument.put("value", value);
        argument.put("op", "SCMP_CMP_" + operator);
        return argument;
    }

    private static List<String> allowed() {
        try (InputStream in = Objects.requireNonNull(SystemCalls.class.getResourceAsStream(ALLOWED), ALLOWED)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .flatMap(line -> List.of(line.split(" ")).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
