package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.Deployment;
import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.ListedFunction;
import io.faasimage.adapter.contract.ProviderClient;
import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.function.FunctionInfo;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A comparison of the provider's functions with the registered ones, which queues a change for each difference: lost
 * deployments, those made without the adapter or while it was down, and deletions of functions that the adapter
 * registered. Thread-safe.
 */
public final class CatchUp implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(CatchUp.class);

    private final ProviderClient provider;
    private final ServiceClient registry;
    private final Ledger ledger;
    private final Registrations registrations;
    private final AtomicReference<@Nullable String> trouble = new AtomicReference<>("not compared yet");

    /** Compares {@code provider} with {@code registry}. */
    public CatchUp(ProviderClient provider, ServiceClient registry, Ledger ledger, Registrations registrations) {
        this.provider = provider;
        this.registry = registry;
        this.ledger = ledger;
        this.registrations = registrations;
    }

    /** Compares once; a failure is kept for {@link #trouble} and logged once. */
    @Override
    public void run() {
        try {
            int changes = compare();
            if (changes > 0) {
                LOG.info("{} functions differ between provider and registry-service", changes);
            }
            trouble.set(null);
        } catch (IOException | RuntimeException e) {
            String reason = String.valueOf(e.getMessage());
            if (!reason.equals(trouble.getAndSet(reason))) {
                LOG.warn("cannot compare provider and registry-service, will try again: {}", reason);
            }
        }
    }

    private int compare() throws IOException {
        Map<String, String> registered = registry.functions().stream()
                .collect(Collectors.toMap(FunctionInfo::name, FunctionInfo::image, (first, second) -> first));
        // In this order: a function that is deleted meanwhile is then missed on neither side.
        List<ListedFunction> listed = provider.functions();
        int changes = 0;
        for (ListedFunction function : listed) {
            Deployment deployment = function.deployment();
            String image = registered.get(deployment.key().registeredName());
            if (!deployment.image().equals(image) && offer(new RegistrationChange.Register(deployment))) {
                changes++;
            }
        }
        Set<FunctionKey> present =
                listed.stream().map(f -> f.deployment().key()).collect(Collectors.toSet());
        for (FunctionKey key : ledger.all()) {
            if (!present.contains(key) && offer(new RegistrationChange.Reconcile(key))) {
                changes++;
            }
        }
        return changes;
    }

    /** Offers nothing for a function with a change under way, which is newer than the provider's list. */
    private boolean offer(RegistrationChange change) {
        if (registrations.isUnderWay(change.key())) {
            return false;
        }
        registrations.offer(change);
        return true;
    }

    /** Why the last comparison failed; empty when it did not. */
    public Optional<String> trouble() {
        return Optional.ofNullable(trouble.get());
    }
}
