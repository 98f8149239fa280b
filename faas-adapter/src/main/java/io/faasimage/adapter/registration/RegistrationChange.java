package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.Deployment;
import io.faasimage.adapter.contract.FunctionKey;

/** A change of one function at registry-service; of two for the same function the later one wins. */
public sealed interface RegistrationChange {
    /** The function. */
    FunctionKey key();

    /** The registration of a function with the image of its deployment. */
    record Register(Deployment deployment) implements RegistrationChange {
        @Override
        public FunctionKey key() {
            return deployment.key();
        }
    }

    /** The release of a deleted function. */
    record Release(FunctionKey key) implements RegistrationChange {}

    /** The comparison with the provider's list, for example after a deployment that the provider refused. */
    record Reconcile(FunctionKey key) implements RegistrationChange {}
}
