package io.faasimage.api.token;

import io.faasimage.api.rest.FieldChecks;

/**
 * A node's request to enrol or to renew its identity: {@code POST /v1/nodes/{name}/enrol} and {@code .../renew}. The
 * node makes the secret, so that it never travels, and a request whose answer was lost can be repeated.
 *
 * @param hash SHA-256 of the secret's text, {@code sha256:} and 64 hex digits
 */
public record NodeKey(String hash) {
    /** Checks the hash. */
    public NodeKey {
        FieldChecks.needed("hash", hash);
        FieldChecks.digest("hash", hash);
    }
}
