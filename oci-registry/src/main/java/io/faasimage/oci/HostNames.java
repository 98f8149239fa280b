package io.faasimage.oci;

import io.faasimage.format.id.Host;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A list of hosts by name, each with a port or for any port; {@code *.example.com} is every host below a domain.
 *
 * @param entries in lower case
 */
public record HostNames(List<String> entries) {
    /** No host. */
    public static final HostNames NONE = new HostNames(List.of());

    private static final Pattern ENTRY =
            Pattern.compile("(?:(?:\\*\\.)?[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\\[[0-9a-f:]+])(?::[0-9]{1,5})?");

    /** Checks and copies the entries. */
    public HostNames {
        entries = entries.stream()
                .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
                .toList();
        for (String entry : entries) {
            if (!ENTRY.matcher(entry).matches()) {
                throw new IllegalArgumentException(
                        "'" + entry + "' is not the name of a host, such as registry.example.com,"
                                + " registry.example.com:5000 or *.example.com");
            }
        }
    }

    /** Whether no host is listed. */
    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Whether a host is listed with this port, or for any. */
    public boolean contains(Host host) {
        return entries.stream().anyMatch(entry -> {
            Host listed = Host.parse(entry);
            return (listed.port() < 0 || listed.port() == host.port()) && names(listed.name(), host.name());
        });
    }

    /** Whether a host is listed with some port. */
    boolean containsName(String name) {
        return entries.stream().anyMatch(entry -> names(Host.parse(entry).name(), name.toLowerCase(Locale.ROOT)));
    }

    private static boolean names(String listed, String name) {
        return listed.startsWith("*.") ? name.endsWith(listed.substring(1)) : listed.equals(name);
    }
}
