package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import java.time.Instant;
import java.util.Optional;

/**
 * A signature that fulfils a rule.
 *
 * @param signer who signed: a key's fingerprint, or the identity of a certificate
 * @param digest of the manifest or index that is signed
 * @param time when, if that is proven
 */
record VerifiedSignature(String signer, Digest digest, Optional<Instant> time) {}
