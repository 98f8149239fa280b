package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.Deployment;
import io.faasimage.adapter.contract.FunctionKey;
import io.faasimage.adapter.contract.Route;
import io.faasimage.adapter.contract.Scaling;
import io.faasimage.adapter.proxy.ExchangeObserver;
import io.faasimage.adapter.warm.WarmHints;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * An observer that turns deployments and deletions into registration changes, and scalings into warm hints.
 *
 * <p>A deployment with the provider's credentials is registered while the provider still pulls the image, so that the
 * very first start is traced; when the provider then refuses it, the registration is reconciled. Any other deployment
 * is registered when the provider has accepted it.
 */
public final class DeploymentObserver implements ExchangeObserver {
    private final Registrations registrations;
    private final WarmHints hints;
    private final Predicate<@Nullable String> authorized;
    private final String defaultNamespace;

    /**
     * Queues changes in {@code registrations} and sends hints to nodes by {@code hints}.
     *
     * @param authorized whether an Authorization header is the provider's own credentials
     * @param defaultNamespace of functions that are deployed without one
     */
    public DeploymentObserver(
            Registrations registrations,
            WarmHints hints,
            Predicate<@Nullable String> authorized,
            String defaultNamespace) {
        this.registrations = registrations;
        this.hints = hints;
        this.authorized = authorized;
        this.defaultNamespace = defaultNamespace;
    }

    @Override
    public Optional<Observation> begin(String method, String uri, @Nullable String authorization) {
        return switch (Route.of(method, uri)) {
            case DEPLOY, UPDATE -> Optional.of(new Deploying(authorized.test(authorization)));
            case DELETE -> Optional.of(new Deleting());
            case SCALE -> Optional.of(new Scale(uri));
            case INVOKE, OTHER -> Optional.empty();
        };
    }

    private static boolean accepted(int status) {
        return status / 100 == 2;
    }

    private final class Deploying implements Observation {
        private final boolean early;
        private Optional<Deployment> deployment = Optional.empty();

        Deploying(boolean early) {
            this.early = early;
        }

        @Override
        public void requested(byte[] body) {
            deployment = Deployment.parse(body, defaultNamespace);
            if (early) {
                deployment.map(RegistrationChange.Register::new).ifPresent(registrations::offer);
            }
        }

        @Override
        public void answered(int status) {
            if (deployment.isEmpty()) {
                return;
            }
            if (!accepted(status) && early) {
                registrations.offer(
                        new RegistrationChange.Reconcile(deployment.get().key()));
            } else if (accepted(status) && !early) {
                registrations.offer(new RegistrationChange.Register(deployment.get()));
            }
        }
    }

    private final class Deleting implements Observation {
        private Optional<FunctionKey> key = Optional.empty();

        @Override
        public void requested(byte[] body) {
            key = Deployment.deleted(body, defaultNamespace);
        }

        @Override
        public void answered(int status) {
            if (accepted(status)) {
                key.map(RegistrationChange.Release::new).ifPresent(registrations::offer);
            }
        }
    }

    /**
     * To one or more: a start is near, and the node is notified before the provider. To zero: the next request is a
     * cold start.
     */
    private final class Scale implements Observation {
        private final String uri;
        private Optional<Scaling> scaling = Optional.empty();

        Scale(String uri) {
            this.uri = uri;
        }

        @Override
        public void requested(byte[] body) {
            scaling = Scaling.parse(body, uri, defaultNamespace);
            scaling.filter(s -> s.replicas() > 0).ifPresent(s -> hints.likely(s.key()));
        }

        @Override
        public void answered(int status) {
            if (accepted(status)) {
                scaling.filter(s -> s.replicas() == 0).ifPresent(s -> hints.likely(s.key()));
            }
        }
    }
}
