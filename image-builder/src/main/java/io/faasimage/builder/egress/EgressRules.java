package io.faasimage.builder.egress;

import io.faasimage.format.id.Host;
import io.faasimage.refactor.host.AddressRange;
import io.faasimage.refactor.host.HostNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The operator's rules for what an installation may reach.
 *
 * @param listed hosts that may be reached at any address, because the operator named them
 * @param isPublicAllowed whether all other hosts may be reached, at addresses of the Internet
 */
public record EgressRules(HostNames listed, boolean isPublicAllowed) {
    /** The word that stands for every host with an address of the Internet. */
    public static final String ANY = "any";

    /** The rules as an option has them: names of hosts, as in {@link HostNames}, and {@link #ANY}. */
    public static EgressRules parse(List<String> option) {
        return new EgressRules(
                new HostNames(
                        option.stream().filter(entry -> !entry.equals(ANY)).toList()),
                option.contains(ANY));
    }

    /** These rules, and {@code hosts}, as well as those of addresses that variables of the operator have. */
    public EgressRules with(Collection<String> hosts, Map<String, String> environment) {
        List<String> all = new ArrayList<>(listed.entries());
        all.addAll(hosts);
        environment.values().stream()
                .flatMap(value -> Arrays.stream(value.split("\\s+", -1)))
                .flatMap(EgressRules::hostOf)
                .forEach(all::add);
        return new EgressRules(new HostNames(all.stream().distinct().toList()), isPublicAllowed);
    }

    private static Stream<String> hostOf(String word) {
        if (!word.matches("https?://.*")) {
            return Stream.empty();
        }
        try {
            return Optional.ofNullable(URI.create(word).getHost()).stream();
        } catch (IllegalArgumentException e) {
            return Stream.empty();
        }
    }

    /**
     * Where a host is reached.
     *
     * @return its addresses, at least one; empty when it may not be reached
     * @throws IOException when it has none
     */
    List<InetAddress> resolve(Host host) throws IOException {
        if (listed.contains(host)) {
            return List.of(InetAddress.getAllByName(host.name()));
        }
        if (!isPublicAllowed) {
            return List.of();
        }
        List<InetAddress> addresses = List.of(InetAddress.getAllByName(host.name()));
        return addresses.stream().allMatch(EgressRules::isPublic) ? addresses : List.of();
    }

    private static boolean isPublic(InetAddress address) {
        return !address.isMulticastAddress()
                && Arrays.stream(AddressRange.values()).noneMatch(range -> range.contains(address));
    }

    /** Whether a host may be reached through another proxy, which resolves its name. */
    boolean allowsByName(Host host) throws IOException {
        boolean isLiteral = host.name().matches("[0-9.]+|.*:.*");
        return listed.contains(host)
                || (isPublicAllowed && (!isLiteral || !resolve(host).isEmpty()));
    }
}
