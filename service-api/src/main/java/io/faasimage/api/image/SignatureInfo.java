package io.faasimage.api.image;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of the last check of an image against the service's policy of signatures, which it passed.
 *
 * @param reference under which the image was checked
 * @param rule name of the policy's rule
 * @param kind what the rule requires: {@code none}, {@code cosign-key}, {@code cosign-keyless} or {@code notation}
 * @param signer who signed: a key's digest, or the identity of a certificate; null when nothing is required
 * @param signed digest of the manifest or index that is signed; null when nothing is required
 * @param signedAt when it was signed, if a transparency log proves that
 * @param checked when it was checked
 */
public record SignatureInfo(
        String reference,
        String rule,
        String kind,
        @Nullable String signer,
        @Nullable String signed,
        @Nullable Instant signedAt,
        Instant checked) {}
