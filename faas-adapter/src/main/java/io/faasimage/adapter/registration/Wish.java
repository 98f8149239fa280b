package io.faasimage.adapter.registration;

import io.faasimage.adapter.contract.Deployment;
import io.faasimage.adapter.contract.FunctionKey;

/** A wanted change of one function at registry-service; of two for the same function the later one wins. */
public sealed interface Wish {
    /** Which function. */
    FunctionKey key();

    /** It is to be registered with the image it was deployed with. */
    record Register(Deployment deployment) implements Wish {
        @Override
        public FunctionKey key() {
            return deployment.key();
        }
    }

    /** It is gone. */
    record Release(FunctionKey key) implements Wish {}

    /** A deployment of it failed at the provider: what the provider lists counts. */
    record Reconcile(FunctionKey key) implements Wish {}
}
