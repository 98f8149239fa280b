package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.image.AttachedFiles;
import java.io.IOException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The bundles that cosign 3 stores as referrers of an image's manifest or index, one signature in each. Thread-safe.
 *
 * @see <a href="https://docs.sigstore.dev/about/bundle/">Sigstore's format of bundles</a>
 */
final class SigstoreBundles {
    private static final String TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";
    /** What cosign 3.0 writes into the tag for registries without the API: the type of the configuration. */
    private static final String EMPTY = "application/vnd.oci.empty.v1+json";

    private static final Referrers.Kind KIND =
            new Referrers.Kind(TYPE, Set.of(TYPE, EMPTY), TYPE, "cosign sign --new-bundle-format");
    private static final String NAME = "its bundle";

    private final Referrers referrers;

    SigstoreBundles(AttachedFiles files, SignatureScan scan) {
        this.referrers = new Referrers(files, scan, KIND);
    }

    /** A signature of a manifest or index by one of the keys. */
    Optional<VerifiedSignature> byKey(Digest image, Requirement.CosignKey rule) throws IOException {
        return referrers.first(image, bundle -> {
            DsseEnvelope envelope = envelope(StrictJson.object(NAME, bundle));
            PublicKey key = rule.signer(envelope.signed(), envelope.signature());
            SignedStatement.check(envelope.payload(), image);
            return new VerifiedSignature(SigningKeys.fingerprint(key), image, Optional.empty());
        });
    }

    /** A signature of a manifest or index by the identity. */
    Optional<VerifiedSignature> byIdentity(Digest image, Requirement.CosignKeyless rule) throws IOException {
        return referrers.first(image, bundle -> {
            JsonNode json = StrictJson.object(NAME, bundle);
            DsseEnvelope envelope = envelope(json);
            JsonNode material = json.path("verificationMaterial");
            X509Certificate leaf = certificate(material);
            JsonNode entries = material.path("tlogEntries");
            if (entries.size() != 1) {
                throw new SignatureFault("no transparency log proves when it was made");
            }
            TransparencyEntry entry = TransparencyEntry.ofBundle(entries.path(0), rule.log());
            entry.checkEnvelope(envelope, leaf);
            String signer = rule.signer(
                    new CertificateChain(leaf, List.of()), entry.time(), envelope.signed(), envelope.signature());
            SignedStatement.check(envelope.payload(), image);
            return new VerifiedSignature(signer, image, Optional.of(entry.time()));
        });
    }

    private static DsseEnvelope envelope(JsonNode bundle) throws SignatureFault {
        if (!StrictJson.text(NAME, bundle, "mediaType").equals(TYPE)) {
            throw new SignatureFault(NAME + " is not of the type " + TYPE);
        }
        return DsseEnvelope.parse(bundle.path("dsseEnvelope"));
    }

    private static X509Certificate certificate(JsonNode material) throws SignatureFault {
        if (material.path("certificate").isMissingNode()) {
            throw new SignatureFault("it has no certificate, as signatures by a key");
        }
        return CertificateChain.ofDer(
                        List.of(StrictJson.base64(NAME, StrictJson.text(NAME, material, "certificate", "rawBytes"))))
                .getFirst();
    }
}
