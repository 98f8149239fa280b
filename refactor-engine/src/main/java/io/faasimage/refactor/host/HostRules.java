package io.faasimage.refactor.host;

import io.faasimage.format.id.Host;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;

/**
 * The operator's rules for image registries and the hosts that these redirect to.
 *
 * @param allowed registries whose images may be read; all when empty
 * @param insecure hosts that may be spoken to without TLS, or with a certificate of an untrusted authority
 * @param internal hosts that may have any address
 * @param refused ranges of addresses that no other host may have
 */
public record HostRules(HostNames allowed, HostNames insecure, HostNames internal, Set<AddressRange> refused) {
    /** TLS, and nothing is refused. */
    public static final HostRules OPEN = new HostRules(HostNames.NONE, HostNames.NONE, HostNames.NONE, Set.of());

    public HostRules {
        refused = Set.copyOf(refused);
    }

    /** Refuses a registry that is not on the list. */
    public void checkAllowed(String registry) {
        if (!allowed.isEmpty() && !allowed.contains(Host.parse(registry))) {
            throw new RefusedHostException("images of the registry " + registry
                    + " are not allowed (registry-service: --faasimage.allowed-registries lists the allowed ones)");
        }
    }

    /**
     * Whether a host may be spoken to without TLS: one that is listed, or this machine, if the registry whose images
     * are read is on this machine; no other registry redirects there.
     */
    public boolean isPlain(Host host, Host registry) {
        return insecure.contains(host) || (host.isLoopback() && registry.isLoopback());
    }

    /** Refuses a connection without verified TLS to a host that may not have one. */
    void checkPlain(Host host, Host registry) {
        if (!isPlain(host, registry)) {
            throw new RefusedHostException("the registry " + registry + " requires a connection to " + host
                    + " without TLS that can be verified; if that is right, name it (registry-service:"
                    + " --faasimage.insecure-registries=" + host + ")");
        }
    }

    /** The addresses of a host, all of which it may have. */
    public InetAddress[] resolve(String name) throws UnknownHostException {
        InetAddress[] addresses = InetAddress.getAllByName(name);
        if (!internal.containsName(name)) {
            for (InetAddress address : addresses) {
                checkAddress(name, address);
            }
        }
        return addresses;
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
