package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.image.AttachedFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The signatures that cosign 2 stores in the tag {@code sha256-<hex>.sig} of an image's repository, one for each layer
 * of that manifest. Thread-safe.
 *
 * @see <a href="https://github.com/sigstore/cosign/blob/main/specs/SIGNATURE_SPEC.md">cosign's specification</a>
 */
final class CosignSignatures {
    private static final int MAX_PAYLOAD_BYTES = 64 << 10;
    private static final int MAX_ANNOTATION_CHARS = 256 << 10;
    private static final String SIMPLE_SIGNING = "application/vnd.dev.cosign.simplesigning.v1+json";
    private static final String SIGNATURE = "dev.cosignproject.cosign/signature";
    private static final String CERTIFICATE = "dev.sigstore.cosign/certificate";
    private static final String CHAIN = "dev.sigstore.cosign/chain";
    private static final String BUNDLE = "dev.sigstore.cosign/bundle";
    private static final String NAME = "the signature's manifest";

    private final AttachedFiles files;
    private final SignatureScan scan;

    CosignSignatures(AttachedFiles files, SignatureScan scan) {
        this.files = files;
        this.scan = scan;
    }

    /** One signature as it is stored. */
    private static final class Stored {
        private final byte[] payload;
        private final byte[] signature;
        private final JsonNode annotations;

        Stored(byte[] payload, byte[] signature, JsonNode annotations) {
            this.payload = payload;
            this.signature = signature;
            this.annotations = annotations;
        }

        Optional<String> annotation(String name) {
            JsonNode value = annotations.path(name);
            return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
        }
    }

    /** A check of one signature; gives the signer. */
    @FunctionalInterface
    private interface Check {
        VerifiedSignature run(Stored stored, Digest image) throws SignatureFault;
    }

    /** A signature of a manifest or index by one of the keys. */
    Optional<VerifiedSignature> byKey(Digest image, Requirement.CosignKey rule) throws IOException {
        return first(image, (stored, of) -> {
            PublicKey key = rule.signer(stored.payload, stored.signature);
            SimpleSigning.check(stored.payload, of);
            return new VerifiedSignature(SigningKeys.fingerprint(key), of, Optional.empty());
        });
    }

    /** A signature of a manifest or index by the identity. */
    Optional<VerifiedSignature> byIdentity(Digest image, Requirement.CosignKeyless rule) throws IOException {
        return first(image, (stored, of) -> verifyIdentity(stored, of, rule));
    }

    private static VerifiedSignature verifyIdentity(Stored stored, Digest image, Requirement.CosignKeyless rule)
            throws SignatureFault {
        String pem = stored.annotation(CERTIFICATE)
                .orElseThrow(() -> new SignatureFault("it has no certificate, as signatures by a key"));
        List<X509Certificate> certificates = CertificateChain.ofPem(pem);
        if (certificates.size() != 1) {
            throw new SignatureFault("it has not exactly one certificate");
        }
        X509Certificate leaf = certificates.getFirst();
        String bundle = stored.annotation(BUNDLE)
                .orElseThrow(() -> new SignatureFault("no transparency log proves when it was made"));
        TransparencyEntry entry = TransparencyEntry.ofAnnotation(bundle, rule.log());
        entry.checkPayload(stored.payload, stored.signature, leaf);
        CertificateChain chain = new CertificateChain(
                leaf, CertificateChain.ofPem(stored.annotation(CHAIN).orElse("")));
        String signer = rule.signer(chain, entry.time(), stored.payload, stored.signature);
        SimpleSigning.check(stored.payload, image);
        return new VerifiedSignature(signer, image, Optional.of(entry.time()));
    }

    private Optional<VerifiedSignature> first(Digest image, Check check) throws IOException {
        String tag = "sha256-" + image.hex() + ".sig";
        scan.place("tag " + tag);
        Optional<AttachedFiles.Document> manifest = files.tagged(tag);
        if (manifest.isEmpty()) {
            return Optional.empty();
        }
        JsonNode layers;
        try {
            layers = StrictJson.object(NAME, manifest.get().json().getBytes(StandardCharsets.UTF_8))
                    .path("layers");
        } catch (SignatureFault e) {
            scan.takes();
            scan.add(e);
            return Optional.empty();
        }
        for (JsonNode layer : layers) {
            if (scan.takes()) {
                try {
                    return Optional.of(check.run(stored(layer), image));
                } catch (SignatureFault e) {
                    scan.add(e);
                }
            }
        }
        return Optional.empty();
    }

    private Stored stored(JsonNode layer) throws IOException, SignatureFault {
        JsonNode annotations = layer.path("annotations");
        for (JsonNode annotation : annotations) {
            if (annotation.isString() && annotation.stringValue().length() > MAX_ANNOTATION_CHARS) {
                throw new SignatureFault("an annotation has more than " + MAX_ANNOTATION_CHARS + " characters");
            }
        }
        if (!StrictJson.text(NAME, layer, "mediaType").equals(SIMPLE_SIGNING)) {
            throw new SignatureFault("it is not of the type " + SIMPLE_SIGNING);
        }
        String signature = StrictJson.text(NAME, layer, "annotations", SIGNATURE);
        byte[] payload = Attached.blob(files, StrictJson.text(NAME, layer, "digest"), MAX_PAYLOAD_BYTES);
        return new Stored(payload, StrictJson.base64("the signature", signature), annotations);
    }
}
