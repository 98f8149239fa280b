package io.faasimage.registry.platform.config;

/** Kinds of stores of blobs. */
public enum Store {
    /** The data directory. */
    DIRECTORY,
    /** A bucket of an S3-compatible store. */
    S3
}
