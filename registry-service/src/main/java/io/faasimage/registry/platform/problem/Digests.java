package io.faasimage.registry.platform.problem;

import io.faasimage.format.id.Digest;

/** Digests in request paths. */
public final class Digests {
    private Digests() {}

    /** A digest with or without {@code sha256:}. */
    public static Digest parse(String text) {
        try {
            return text.startsWith("sha256:") ? Digest.parse(text) : new Digest(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST, e.getMessage() + "; write sha256: and 64 lower-case hex digits", e);
        }
    }
}
