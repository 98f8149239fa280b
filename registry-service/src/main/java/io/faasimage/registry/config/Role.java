package io.faasimage.registry.config;

/** What a caller may do. */
public enum Role {
    /** Everything. */
    ADMIN,
    /** Look at everything but the contents of files. */
    VIEWER
}
