package io.faasimage.registry.platform.config;

/** The permissions of a caller. */
public enum Role {
    /** Everything. */
    ADMIN,
    /** Look at everything but the contents of files. */
    VIEWER
}
