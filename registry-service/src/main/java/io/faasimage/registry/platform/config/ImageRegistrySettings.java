package io.faasimage.registry.platform.config;

import io.faasimage.oci.AddressRange;
import io.faasimage.oci.HostNames;
import io.faasimage.oci.HostRules;
import java.util.List;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of which image registries may be read. Hosts are {@code registry.example.com}, with a port where only
 * that one counts, or {@code *.example.com}.
 *
 * @param allowedRegistries registries whose images may be registered and built on, as image references name them
 *     (Docker Hub is {@code docker.io}); all when empty
 * @param insecureRegistries hosts that may be read over plain HTTP, or with a certificate of an untrusted authority;
 *     registries of this machine may be anyway
 * @param internalRegistries hosts that may have an address of {@code refused-addresses}
 * @param refusedAddresses ranges of addresses that no host of an image registry may have, nor one that it redirects to:
 *     {@code loopback}, {@code link-local}, {@code private}
 */
@ConfigurationProperties("faasimage")
public record ImageRegistrySettings(
        @DefaultValue List<String> allowedRegistries,
        @DefaultValue List<String> insecureRegistries,
        @DefaultValue List<String> internalRegistries,
        @DefaultValue("link-local") Set<AddressRange> refusedAddresses) {
    /** Checks the names. */
    public ImageRegistrySettings {
        names("allowed-registries", allowedRegistries);
        names("insecure-registries", insecureRegistries);
        names("internal-registries", internalRegistries);
    }

    private static HostNames names(String setting, List<String> entries) {
        try {
            return new HostNames(entries);
        } catch (IllegalArgumentException e) {
            // Without the cause: of a failure of settings, the first cause is reported.
            throw new IllegalArgumentException("faasimage." + setting + ": " + e.getMessage());
        }
    }

    /** The same as the engine takes it. */
    public HostRules rules() {
        return new HostRules(
                names("allowed-registries", allowedRegistries),
                names("insecure-registries", insecureRegistries),
                names("internal-registries", internalRegistries),
                refusedAddresses);
    }
}
