package io.faasimage.oci;

import io.faasimage.format.id.Host;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;

/**
 * The operator's rules for image registries and the hosts that these redirect to.
 *
 * @param allowed registries whose images may be read; all when empty
 * @param insecure hosts that may be spoken to without TLS, or with a certificate of an untrusted authority
 * @param internal hosts that may have any address
 * @param refused ranges of addresses that no other host may have
 */
public record HostRules(HostNames allowed, HostNames insecure, HostNames internal, Set<AddressRange> refused)
        implements HostPolicy {
    /** TLS, and nothing is refused. */
    public static final HostRules OPEN = new HostRules(HostNames.NONE, HostNames.NONE, HostNames.NONE, Set.of());

    public HostRules {
        refused = Set.copyOf(refused);
    }

    @Override
    public void checkAllowed(String registry) {
        if (!allowed.isEmpty() && !allowed.contains(Host.parse(registry))) {
            throw new RefusedHostException("images of the registry " + registry
                    + " are not allowed (registry-service: --faasimage.allowed-registries lists the allowed ones)");
        }
    }

    /** On this machine without TLS, as is the custom; elsewhere TLS first, as a login may be sent. */
    @Override
    public List<Protocol> protocols(Host registry) {
        if (registry.isLoopback()) {
            return List.of(Protocol.PLAIN, Protocol.UNVERIFIED);
        }
        return insecure.contains(registry) ? List.of(Protocol.UNVERIFIED, Protocol.PLAIN) : List.of(Protocol.TLS);
    }

    /** True for listed hosts, and for this machine if the registry is on it; no other registry leads there. */
    @Override
    public boolean isUnverified(Host host, Host registry) {
        return insecure.contains(host) || (host.isLoopback() && registry.isLoopback());
    }

    @Override
    public void checkPlain(Host host, Host registry) {
        if (!isUnverified(host, registry)) {
            throw new RefusedHostException("the registry " + registry + " requires a connection to " + host
                    + " without TLS that can be verified; if that is right, name it (registry-service:"
                    + " --faasimage.insecure-registries=" + host + ")");
        }
    }

    @Override
    public InetAddress[] resolve(String name) throws UnknownHostException {
        InetAddress[] addresses = InetAddress.getAllByName(name);
        if (!internal.containsName(name)) {
            for (InetAddress address : addresses) {
                checkAddress(name, address);
            }
        }
        return addresses;
    }

    @Override
    public String remedy(OciException.Kind kind, String registry) {
        return switch (kind) {
            case NOT_FOUND -> "; has it been pushed?";
            case UNAUTHORIZED -> "; log in with 'docker login " + registry + "'";
            case UNTRUSTED ->
                "; if it is the right one, give the file with its certificate authority"
                        + " (registry-service: --faasimage.registry-ca=FILE)";
            case LIMIT -> "; --faasimage.budget.document raises it for images that are trusted";
            case SLOW -> "; --faasimage.budget.rate is the least of a blob";
            case REFUSED, UNAVAILABLE, MISMATCH, INVALID, CANCELLED -> "";
        };
    }

    private void checkAddress(String name, InetAddress address) {
        for (AddressRange range : refused) {
            if (range.contains(address)) {
                throw new RefusedHostException("the host " + name + " has a " + range
                        + " address, which is refused; if it is the right one, name it (registry-service:"
                        + " --faasimage.internal-registries=" + name + ", see --faasimage.refused-addresses)");
            }
        }
    }
}
