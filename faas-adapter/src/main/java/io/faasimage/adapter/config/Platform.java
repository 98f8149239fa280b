package io.faasimage.adapter.config;

/** The platform that the adapter stands in front of. */
public enum Platform {
    /** An OpenFaaS provider. */
    OPENFAAS,
    /** An OpenWhisk controller. */
    OPENWHISK
}
