package io.faasimage.adapter.config;

import io.faasimage.api.client.TransportOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The operator's settings, as {@code --faasimage.<name>=<value>} or {@code FAASIMAGE_<NAME>}.
 *
 * @param listen address and port where the gateway connects
 * @param platform what the adapter stands in front of
 * @param provider URL of the provider, or of OpenWhisk's controller, without a path
 * @param providerUserFile file with the user of the provider's basic authentication
 * @param providerPasswordFile file with the password of the provider's basic authentication
 * @param registry URL of registry-service
 * @param registryToken bearer token of registry-service
 * @param registryTokenFile file with the token of registry-service, read again at each use
 * @param registryTls how registry-service is reached
 * @param nodes control sockets of node agents that get a hint of what is likely to start; none by default
 * @param namespace namespace of functions that are deployed without one
 * @param state directory of what must outlive the process
 * @param proxy limits of the proxy
 * @param registration limits of the registrations
 * @param warmInterval pause in which a function is hinted to nodes once
 * @param openwhisk what is particular to OpenWhisk
 */
@ConfigurationProperties("faasimage")
public record AdapterSettings(
        @DefaultValue("127.0.0.1:8083") String listen,
        @DefaultValue("openfaas") Platform platform,
        @DefaultValue("http://127.0.0.1:8081") URI provider,
        @Nullable Path providerUserFile,
        @Nullable Path providerPasswordFile,
        @DefaultValue("http://127.0.0.1:8980") URI registry,
        @Nullable String registryToken,
        @Nullable Path registryTokenFile,
        @DefaultValue RegistryTls registryTls,
        @DefaultValue List<Path> nodes,
        @DefaultValue("openfaas-fn") String namespace,
        @DefaultValue("/var/lib/faasimage-adapter") Path state,
        @DefaultValue Proxy proxy,
        @DefaultValue Registration registration,
        @DefaultValue("10s") Duration warmInterval,
        @DefaultValue Openwhisk openwhisk) {
    /**
     * How registry-service is reached.
     *
     * @param ca PEM file with certificate authorities of registry-service, besides the JVM's own; read again when it
     *     changes
     * @param certificate PEM file with a certificate that the adapter presents to registry-service
     * @param key PEM file with its private key (PKCS #8, not encrypted)
     * @param name name that registry-service's certificate must have; by default the one in its address
     * @param insecure whether the token may be sent to another machine over plain HTTP, where others can read it
     */
    public record RegistryTls(
            @Nullable Path ca,
            @Nullable Path certificate,
            @Nullable Path key,
            @Nullable String name,
            @DefaultValue("false") boolean insecure) {
        /** Checks that certificate and key come together. */
        public RegistryTls {
            if ((certificate == null) != (key == null)) {
                throw new IllegalArgumentException(
                        "set both faasimage.registry-tls.certificate and faasimage.registry-tls.key, or neither");
            }
        }

        /** As options of the client. */
        public TransportOptions transport() {
            return new TransportOptions(
                    Optional.ofNullable(ca),
                    Optional.ofNullable(certificate),
                    Optional.ofNullable(key),
                    Optional.ofNullable(name),
                    insecure);
        }
    }

    /**
     * What is particular to OpenWhisk, as its invokers are set.
     *
     * @param userImagesRegistry what {@code whisk.container-factory.user-images-registry.url} of OpenWhisk is
     * @param runtimesManifest OpenWhisk's {@code runtimes.json}, whose images are registered, too; none by default
     * @param runtimesRegistry what {@code whisk.container-factory.runtimes-registry.url} of OpenWhisk is
     */
    public record Openwhisk(
            @DefaultValue("") String userImagesRegistry,
            @Nullable Path runtimesManifest,
            @DefaultValue("") String runtimesRegistry) {}

    /**
     * Limits of the proxy.
     *
     * @param threads event loops; 0: as many as processors
     * @param maxClients client connections at the same time
     * @param connectTimeout how long a connection to the provider may take
     * @param clientIdle how long a connection may be silent between requests
     * @param exchangeIdle how long a request may be silent in both directions; at least the gateway's upstream_timeout
     * @param drain how long requests may take to end when the adapter stops
     */
    public record Proxy(
            @DefaultValue("0") int threads,
            @DefaultValue("4096") int maxClients,
            @DefaultValue("2s") Duration connectTimeout,
            @DefaultValue("3m") Duration clientIdle,
            @DefaultValue("1h") Duration exchangeIdle,
            @DefaultValue("10s") Duration drain) {}

    /**
     * Limits of the registrations.
     *
     * @param capacity functions that may wait for registry-service
     * @param workers requests to registry-service at the same time
     * @param attempts attempts per registration
     * @param firstPause pause between two attempts of a registration; it doubles
     * @param longestPause longest pause between two attempts of a registration
     * @param compareInterval pause between two comparisons of the provider with registry-service
     * @param tracePatience how long a trace is waited for after a function's first replica
     */
    public record Registration(
            @DefaultValue("10000") int capacity,
            @DefaultValue("8") int workers,
            @DefaultValue("8") int attempts,
            @DefaultValue("1s") Duration firstPause,
            @DefaultValue("1m") Duration longestPause,
            @DefaultValue("2m") Duration compareInterval,
            @DefaultValue("2m") Duration tracePatience) {}

    /** Checks everything that needs no file or connection. */
    public AdapterSettings {
        requireHttp("provider", provider);
        requireHttp("registry", registry);
        if ((provider.getRawPath() != null && provider.getRawPath().length() > 1) || provider.getRawQuery() != null) {
            throw new IllegalArgumentException(
                    "faasimage.provider must not have a path: http://HOST:PORT, not " + provider);
        }
        if (!provider.getScheme().equals("http")) {
            throw new IllegalArgumentException(
                    "faasimage.provider must be without TLS: http://HOST:PORT, not " + provider);
        }
        if ((providerUserFile == null) != (providerPasswordFile == null)) {
            throw new IllegalArgumentException(
                    "set both faasimage.provider-user-file and faasimage.provider-password-file, or neither");
        }
        if (registryToken != null && registryTokenFile != null) {
            throw new IllegalArgumentException(
                    "set faasimage.registry-token or faasimage.registry-token-file, not both");
        }
        if (registryToken != null || registryTokenFile != null) {
            registryTls.transport().check(List.of(registry), "--faasimage.registry-tls.insecure=true");
        }
        if (platform == Platform.OPENWHISK && !nodes.isEmpty()) {
            throw new IllegalArgumentException("faasimage.nodes get hints of what OpenFaaS scales; leave it out with"
                    + " faasimage.platform=openwhisk");
        }
        if (namespace.isBlank()) {
            throw new IllegalArgumentException("faasimage.namespace must not be empty");
        }
        requirePositive("warm-interval", warmInterval);
        requirePositive("registration.compare-interval", registration.compareInterval());
        requirePositive("registration.trace-patience", registration.tracePatience());
        ListenAddress.parse(listen);
        nodes = List.copyOf(nodes);
        state = state.toAbsolutePath().normalize();
    }

    private static void requireHttp(String name, URI url) {
        String scheme = url.getScheme();
        if (url.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
            throw new IllegalArgumentException("faasimage." + name + " is not an http or https URL: " + url);
        }
    }

    private static void requirePositive(String name, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("faasimage." + name + " must be positive, not " + duration);
        }
    }

    /** The provider's port. */
    public int providerPort() {
        return provider.getPort() < 0 ? 80 : provider.getPort();
    }

    /** The token stays out of logs. */
    @Override
    public String toString() {
        return listen + " for " + provider;
    }
}
