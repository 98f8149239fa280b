package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.Deployment;
import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.ListedFunction;
import io.faasimage.adapter.contract.ProviderClient;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.client.ServiceException;
import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.function.FunctionRequest;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The client that applies changes at registry-service. Blocking, thread-safe; the same change twice does no harm. */
public final class Registrar {
    private static final Logger LOG = LoggerFactory.getLogger(Registrar.class);

    private final ProviderClient provider;
    private final ServiceClient registry;
    private final Ledger ledger;
    private final TraceWatch watch;

    /** Registers the functions of {@code provider} at {@code registry}, and records them in {@code ledger}. */
    public Registrar(ProviderClient provider, ServiceClient registry, Ledger ledger, TraceWatch watch) {
        this.provider = provider;
        this.registry = registry;
        this.ledger = ledger;
        this.watch = watch;
    }

    void apply(RegistrationChange change) throws IOException {
        switch (change) {
            case RegistrationChange.Register register -> register(register.deployment());
            case RegistrationChange.Release release -> release(release.key());
            case RegistrationChange.Reconcile reconcile -> reconcile(reconcile.key());
        }
    }

    /** A tag may name another image than before, so the request is sent even when the reference is the same. */
    private void register(Deployment deployment) throws IOException {
        String name = deployment.key().registeredName();
        ledger.add(deployment.key());
        FunctionInfo function = registry.replace(new FunctionRequest(name, deployment.image(), null, null));
        watch.registered(deployment.key());
        LOG.info(
                "registered {} ({}, {}, {})",
                name,
                deployment.image().replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?"),
                function.digest(),
                function.state());
    }

    private void release(FunctionKey key) throws IOException {
        watch.forget(key);
        try {
            registry.deleteFunction(key.registeredName(), false);
            LOG.info("released {}", key.registeredName());
        } catch (ServiceException e) {
            if (!e.notFound()) {
                throw e;
            }
        }
        ledger.remove(key);
    }

    private void reconcile(FunctionKey key) throws IOException {
        Optional<Deployment> listed = provider.functions().stream()
                .map(ListedFunction::deployment)
                .filter(deployment -> deployment.key().equals(key))
                .findFirst();
        if (listed.isPresent()) {
            register(listed.get());
        } else if (ledger.contains(key)) {
            release(key);
        }
    }
}
