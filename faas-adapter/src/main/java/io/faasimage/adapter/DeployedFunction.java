package io.faasimage.adapter;

/**
 * A function as an OpenFaaS provider lists it.
 *
 * @param name of the function
 * @param namespace that it is deployed in; empty for the provider's default
 * @param image reference as deployed
 */
record DeployedFunction(String name, String namespace, String image) {
    /** The name under which it is registered: {@code name} or {@code name.namespace}. */
    String registeredName() {
        return namespace.isEmpty() ? name : name + "." + namespace;
    }
}
