package io.faasimage.adapter;

import io.faasimage.api.FunctionInfo;
import io.faasimage.api.FunctionRequest;
import io.faasimage.api.RegistryClient;
import io.faasimage.api.RegistryException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Registers every function that a provider lists, and again when its image changes. A registration that fails is tried
 * again at the next round; a platform that does not answer changes nothing. Not thread-safe.
 */
final class DeploymentWatcher {
    private static final Logger LOG = System.getLogger(DeploymentWatcher.class.getName());

    private final OpenFaasProvider provider;
    private final RegistryClient registry;
    private final Map<String, String> registered = new HashMap<>();
    private final Map<String, String> refused = new HashMap<>();

    DeploymentWatcher(OpenFaasProvider provider, RegistryClient registry) {
        this.provider = provider;
        this.registry = registry;
    }

    /** Compares once and registers what is new or changed; how many registrations were made. */
    int round() throws IOException {
        List<DeployedFunction> functions = provider.functions();
        int made = 0;
        Set<String> present = new HashSet<>();
        for (DeployedFunction function : functions) {
            present.add(function.registeredName());
            if (!function.image().equals(registered.get(function.registeredName())) && register(function)) {
                made++;
            }
        }
        registered.keySet().retainAll(present);
        refused.keySet().retainAll(present);
        return made;
    }

    private boolean register(DeployedFunction function) {
        String name = function.registeredName();
        try {
            replace(function);
            registered.put(name, function.image());
            refused.remove(name);
            LOG.log(Level.INFO, "registered {0} ({1})", name, function.image());
            return true;
        } catch (IOException e) {
            // Said once for each reason: the next rounds try again in silence.
            if (!String.valueOf(e.getMessage()).equals(refused.put(name, String.valueOf(e.getMessage())))) {
                LOG.log(Level.WARNING, "could not register {0}, will try again: {1}", name, e.getMessage());
            }
            return false;
        }
    }

    /** A name that is registered with another image is registered anew, everything else as it was. */
    private void replace(DeployedFunction function) throws IOException {
        String name = function.registeredName();
        FunctionRequest request = new FunctionRequest(name, function.image(), null, null);
        try {
            FunctionInfo known = registry.function(name);
            if (known.image().equals(function.image())) {
                return;
            }
            request = new FunctionRequest(
                    name, function.image(), known.runtime(), known.readiness(), known.start(), known.fill());
            registry.deleteFunction(name, false);
        } catch (RegistryException e) {
            if (!e.notFound()) {
                throw e;
            }
        }
        registry.register(request);
    }
}
