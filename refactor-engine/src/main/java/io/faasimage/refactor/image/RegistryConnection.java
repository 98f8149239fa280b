package io.faasimage.refactor.image;

import com.google.cloud.tools.jib.api.Credential;
import com.google.cloud.tools.jib.event.EventHandlers;
import com.google.cloud.tools.jib.registry.RegistryAliasGroup;
import com.google.cloud.tools.jib.registry.RegistryClient;
import io.faasimage.format.id.Host;
import io.faasimage.format.id.ImageReference;
import io.faasimage.refactor.host.HostClients;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * jib's client of one repository, made and logged in at the first request. Thread-safe; guarded by this object's
 * monitor.
 */
final class RegistryConnection implements AutoCloseable {
    private final ImageReference reference;
    private final SourceOptions options;
    private final RegistryFailures failures;
    private final HostClients clients;
    private final boolean plain;
    private final BoundedManifests http;
    private Optional<Credential> credential = Optional.empty();
    private @Nullable RegistryClient client;
    private @Nullable BlobRanges ranges;

    RegistryConnection(ImageReference reference, SourceOptions options) {
        this.reference = reference;
        this.options = options;
        this.failures = new RegistryFailures(reference);
        Host registry = Host.parse(reference.registry());
        this.clients = new HostClients(options.rules(), reference.registry());
        this.plain = options.rules().isPlain(registry, registry);
        this.http = new BoundedManifests(plain, options.budget().documentBytes(), clients);
    }

    RegistryFailures failures() {
        return failures;
    }

    /** The client, logged in. */
    synchronized RegistryClient client() throws IOException {
        if (client != null) {
            return client;
        }
        failures.mapping("read", this::checkAllowed);
        String host = RegistryAliasGroup.getHost(reference.registry());
        if (!plain) {
            failures.mapping("read", () -> RegistryTrust.check(reference, host, options.rules()));
        }
        RegistryClient.Factory factory = RegistryClient.factory(EventHandlers.NONE, host, reference.repository(), http)
                .setUserAgent("faasimage");
        credential = options.logins().find(reference).map(login -> Credential.from(login.user(), login.password()));
        credential.ifPresent(factory::setCredential);
        RegistryClient made = factory.newRegistryClient();
        failures.retrying("log in for", options.attempts(), () -> {
            if (!made.doPullBearerAuth() && credential.isPresent()) {
                made.configureBasicAuth();
            }
            return made;
        });
        client = made;
        return made;
    }

    private boolean checkAllowed() {
        options.rules().checkAllowed(reference.registry());
        return true;
    }

    /** Ranges of blobs, without TLS where the options allow it. */
    synchronized BlobRanges ranges() throws IOException {
        if (ranges == null) {
            client();
            String scheme = plain ? "http" : "https";
            ranges = new BlobRanges(
                    URI.create(scheme + "://" + RegistryAliasGroup.getHost(reference.registry()) + "/v2/"
                            + reference.repository() + "/blobs/"),
                    credential,
                    clients.verifying());
        }
        return ranges;
    }

    @Override
    public synchronized void close() throws IOException {
        if (ranges != null) {
            ranges.close();
        }
        http.shutDown();
    }
}
