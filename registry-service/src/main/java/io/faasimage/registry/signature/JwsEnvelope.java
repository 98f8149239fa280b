package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * An envelope of notation: JSON Web Signature (RFC 7515) in its flattened form. Immutable.
 */
final class JwsEnvelope {
    private static final String NAME = "its envelope";
    private static final String PAYLOAD_TYPE = "application/vnd.cncf.notary.payload.v1+json";
    private static final String SCHEME = "io.cncf.notary.signingScheme";
    private static final String EXPIRY = "io.cncf.notary.expiry";
    private static final Set<String> CRITICAL = Set.of(SCHEME, EXPIRY);

    private final String encodedHeader;
    private final String encodedPayload;
    private final byte[] signature;
    private final CertificateChain chain;

    private JwsEnvelope(String encodedHeader, String encodedPayload, byte[] signature, CertificateChain chain) {
        this.encodedHeader = encodedHeader;
        this.encodedPayload = encodedPayload;
        this.signature = signature;
        this.chain = chain;
    }

    static JwsEnvelope parse(byte[] bytes) throws SignatureFault {
        JsonNode json = StrictJson.object(NAME, bytes);
        List<byte[]> certificates = new ArrayList<>();
        for (JsonNode certificate : json.path("header").path("x5c")) {
            if (certificates.size() == CertificateChain.MAX_CERTIFICATES || !certificate.isString()) {
                throw new SignatureFault(NAME + " has certificates that are not valid, or more than "
                        + CertificateChain.MAX_CERTIFICATES);
            }
            certificates.add(StrictJson.base64(NAME, certificate.stringValue()));
        }
        List<X509Certificate> chain = CertificateChain.ofDer(certificates);
        if (chain.isEmpty()) {
            throw new SignatureFault(NAME + " has no certificate");
        }
        return new JwsEnvelope(
                StrictJson.text(NAME, json, "protected"),
                StrictJson.text(NAME, json, "payload"),
                StrictJson.base64Url(NAME, StrictJson.text(NAME, json, "signature")),
                new CertificateChain(chain.getFirst(), chain.subList(1, chain.size())));
    }

    /** Verifies that it is of a manifest or index, by an identity of the rule, and valid now. */
    VerifiedSignature verify(Digest image, Requirement.Notation rule, Instant now) throws SignatureFault {
        chain.verify(rule.roots(), now);
        X509Certificate leaf = chain.leaf();
        String subject = Printable.of(leaf.getSubjectX500Principal().getName());
        if (rule.identities().stream().noneMatch(identity -> identity.matches(leaf.getSubjectX500Principal()))) {
            throw new SignatureFault("it is of another identity, " + subject);
        }
        JsonNode header = StrictJson.object(NAME, StrictJson.base64Url(NAME, encodedHeader));
        JwsAlgorithm algorithm = JwsAlgorithm.of(leaf.getPublicKey());
        if (!StrictJson.text(NAME, header, "alg").equals(algorithm.name())) {
            throw new SignatureFault(NAME + " has another algorithm than its certificate's key, " + algorithm.name());
        }
        if (!algorithm.verifies(leaf.getPublicKey(), signed(), signature)) {
            throw new SignatureFault("it is not by the key of its certificate");
        }
        checkHeader(header, now);
        JsonNode payload = StrictJson.object(NAME, StrictJson.base64Url(NAME, encodedPayload));
        if (!StrictJson.text(NAME, payload, "targetArtifact", "digest").equals(image.toString())) {
            throw new SignatureFault("it is of another image");
        }
        return new VerifiedSignature(subject, image, Optional.empty());
    }

    private byte[] signed() {
        return (encodedHeader + "." + encodedPayload).getBytes(StandardCharsets.US_ASCII);
    }

    private static void checkHeader(JsonNode header, Instant now) throws SignatureFault {
        if (!StrictJson.text(NAME, header, "cty").equals(PAYLOAD_TYPE)
                || !StrictJson.text(NAME, header, SCHEME).equals("notary.x509")) {
            throw new SignatureFault(NAME + " is not one of the scheme notary.x509");
        }
        boolean scheme = false;
        for (JsonNode critical : header.path("crit")) {
            if (!critical.isString() || !CRITICAL.contains(critical.stringValue())) {
                throw new SignatureFault(NAME + " requires an extension that is not supported");
            }
            scheme |= critical.stringValue().equals(SCHEME);
        }
        if (!scheme) {
            throw new SignatureFault(NAME + " does not mark its scheme as critical");
        }
        if (header.has(EXPIRY) && !expiry(header).isAfter(now)) {
            throw new SignatureFault("it has expired");
        }
    }

    private static Instant expiry(JsonNode header) throws SignatureFault {
        try {
            return OffsetDateTime.parse(StrictJson.text(NAME, header, EXPIRY)).toInstant();
        } catch (DateTimeException e) {
            throw new SignatureFault(NAME + " has no valid time of expiry", e);
        }
    }
}
