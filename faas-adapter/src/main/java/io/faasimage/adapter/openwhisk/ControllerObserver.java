package io.faasimage.adapter.openwhisk;

import io.faasimage.adapter.contract.Deployment;
import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.openwhisk.ImageChange.Register;
import io.faasimage.adapter.openwhisk.ImageChange.Release;
import io.faasimage.adapter.proxy.ExchangeObserver;
import io.faasimage.adapter.registration.RegistrationChange;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An observer that turns the actions that a controller has accepted into registration changes. Thread-safe. */
public final class ControllerObserver implements ExchangeObserver {
    /** Namespace of the names under which actions are registered. */
    static final String NAMESPACE = "openwhisk";

    private static final Logger LOG = LoggerFactory.getLogger(ControllerObserver.class);

    private final ActionObserver actions;
    private final Consumer<RegistrationChange> changes;

    /** Passes the changes that {@code actions} recognises to {@code changes}. */
    public ControllerObserver(ActionObserver actions, Consumer<RegistrationChange> changes) {
        this.actions = actions;
        this.changes = changes;
    }

    @Override
    public Optional<Observation> begin(String method, String uri, @Nullable String authorization) {
        return actions.isOfInterest(method, uri)
                ? Optional.of(new Acting(method, uri, authorization == null ? "" : authorization))
                : Optional.empty();
    }

    static RegistrationChange registrationChange(ImageChange change) {
        FunctionKey key = new FunctionKey(change.function(), NAMESPACE);
        return switch (change) {
            case Register register -> new RegistrationChange.Register(new Deployment(key, register.image()));
            case Release _ -> new RegistrationChange.Release(key);
        };
    }

    private final class Acting implements Observation {
        private final String method;
        private final String uri;
        private final String authorization;
        private byte @Nullable [] body;

        Acting(String method, String uri, String authorization) {
            this.method = method;
            this.uri = uri;
            this.authorization = authorization;
        }

        @Override
        public void requested(byte[] complete) {
            body = complete;
        }

        @Override
        public void answered(int status) {
            byte[] complete = body;
            if (complete == null) {
                LOG.warn(
                        "an action's definition is too long to be read, register its image by hand: {}",
                        uri.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?"));
                return;
            }
            actions.observe(method, uri, authorization, complete, status)
                    .map(ControllerObserver::registrationChange)
                    .ifPresent(changes);
        }
    }
}
