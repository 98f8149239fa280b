package io.faasimage.oci;

/**
 * The refusal of a host by the operator's rules. Not an {@link java.io.IOException}: clients of HTTP try these again.
 */
public final class RefusedHostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedHostException(String message) {
        super(message);
    }
}
