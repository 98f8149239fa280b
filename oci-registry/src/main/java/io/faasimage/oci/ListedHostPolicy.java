package io.faasimage.oci;

import io.faasimage.format.id.Host;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;

/**
 * The policy about a host that the administrator listed for a registry: it may be spoken to as its URL says, at any
 * address. For the registry itself, and for the hosts that the listed one leads to, the program's policy decides, but
 * certificates are not verified if the administrator switched that off.
 *
 * @param program the program's policy
 * @param listed the host; empty for the registry itself
 * @param protocols of the listed host
 */
record ListedHostPolicy(HostPolicy program, Optional<Host> listed, List<Protocol> protocols, HostTls tls)
        implements HostPolicy {
    private boolean isListed(String name) {
        return listed.filter(host -> host.name().equalsIgnoreCase(name)).isPresent();
    }

    @Override
    public List<Protocol> protocols(Host registry) {
        if (listed.isPresent()) {
            return protocols;
        }
        return program.protocols(registry).stream()
                .map(protocol -> protocol == Protocol.TLS && tls.skipsVerification() ? Protocol.UNVERIFIED : protocol)
                .toList();
    }

    @Override
    public void checkPlain(Host host, Host registry) {
        if (!isListed(host.name()) || !protocols.contains(Protocol.PLAIN)) {
            program.checkPlain(host, registry);
        }
    }

    @Override
    public boolean isUnverified(Host host, Host registry) {
        return tls.skipsVerification() || program.isUnverified(host, registry);
    }

    @Override
    public InetAddress[] resolve(String name) throws UnknownHostException {
        return isListed(name) ? InetAddress.getAllByName(name) : program.resolve(name);
    }

    @Override
    public String remedy(OciException.Kind kind, String registry) {
        return program.remedy(kind, registry);
    }
}
