package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The promise of a transparency log (Rekor) that it has an entry, verified with the log's key: who presents it proves
 * that a signature with a certificate was there at a time. The log is not asked.
 *
 * @param body what was logged
 * @param time when the log got it
 */
record TransparencyEntry(JsonNode body, Instant time) {
    private static final String NAME = "the transparency log's entry";
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]+={0,2}");
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

    /** The entry in cosign's annotation {@code dev.sigstore.cosign/bundle}. */
    static TransparencyEntry ofAnnotation(String bundle, PublicKey log) throws SignatureFault {
        JsonNode json = StrictJson.object(NAME, bundle.getBytes(StandardCharsets.UTF_8));
        JsonNode payload = json.path("Payload");
        return verified(
                StrictJson.text(NAME, payload, "body"),
                StrictJson.text(NAME, payload, "logID"),
                number(payload, "integratedTime"),
                number(payload, "logIndex"),
                StrictJson.text(NAME, json, "SignedEntryTimestamp"),
                log);
    }

    /** An element of {@code tlogEntries} in a bundle of Sigstore. */
    static TransparencyEntry ofBundle(JsonNode entry, PublicKey log) throws SignatureFault {
        if (entry.path("inclusionPromise").isMissingNode()) {
            throw new SignatureFault("no promise of the transparency log proves when it was made");
        }
        byte[] id = StrictJson.base64(NAME, StrictJson.text(NAME, entry, "logId", "keyId"));
        return verified(
                StrictJson.text(NAME, entry, "canonicalizedBody"),
                HexFormat.of().formatHex(id),
                number(entry, "integratedTime"),
                number(entry, "logIndex"),
                StrictJson.text(NAME, entry, "inclusionPromise", "signedEntryTimestamp"),
                log);
    }

    /** A whole number, which bundles have as text. */
    private static long number(JsonNode json, String name) throws SignatureFault {
        JsonNode number = json.path(name);
        if (number.isString() && NUMBER.matcher(number.stringValue()).matches()) {
            return Long.parseLong(number.stringValue());
        }
        if (!number.isIntegralNumber() || !number.canConvertToLong()) {
            throw new SignatureFault(NAME + " is not valid");
        }
        return number.longValue();
    }

    private static TransparencyEntry verified(
            String body, String logId, long time, long index, String promise, PublicKey log) throws SignatureFault {
        if (!BASE64.matcher(body).matches()) {
            throw new SignatureFault(NAME + " is not valid");
        }
        if (!logId.equals(Digest.of(log.getEncoded()).hex())) {
            throw new SignatureFault(NAME + " is of another log");
        }
        // RFC 8785: names in order, no space; none of the values needs an escape.
        String canonical = "{\"body\":\"" + body + "\",\"integratedTime\":" + time + ",\"logID\":\"" + logId
                + "\",\"logIndex\":" + index + "}";
        if (!SigningKeys.verifies(log, canonical.getBytes(StandardCharsets.UTF_8), StrictJson.base64(NAME, promise))) {
            throw new SignatureFault(NAME + " is not signed by the log of the rule");
        }
        return new TransparencyEntry(StrictJson.object(NAME, StrictJson.base64(NAME, body)), instant(time));
    }

    private static Instant instant(long seconds) throws SignatureFault {
        if (seconds <= 0 || seconds > Instant.parse("9999-01-01T00:00:00Z").getEpochSecond()) {
            throw new SignatureFault(NAME + " has no valid time");
        }
        return Instant.ofEpochSecond(seconds);
    }

    /** Checks that the entry is for exactly this payload, signature and certificate. */
    void checkPayload(byte[] payload, byte[] signature, X509Certificate certificate) throws SignatureFault {
        check(StrictJson.text(NAME, body, "kind").equals("hashedrekord")
                && isHash(body.path("spec").path("data").path("hash"), payload)
                && Arrays.equals(base64(body, "spec", "signature", "content"), signature)
                && isCertificate(base64(body, "spec", "signature", "publicKey", "content"), certificate));
    }

    /** Checks that the entry is for exactly this envelope and certificate. */
    void checkEnvelope(DsseEnvelope envelope, X509Certificate certificate) throws SignatureFault {
        JsonNode signatures = body.path("spec").path("signatures");
        check(StrictJson.text(NAME, body, "kind").equals("dsse")
                && isHash(body.path("spec").path("payloadHash"), envelope.payload())
                && signatures.size() == 1
                && Arrays.equals(base64(signatures.path(0), "signature"), envelope.signature())
                && isCertificate(base64(signatures.path(0), "verifier"), certificate));
    }

    private static void check(boolean same) throws SignatureFault {
        if (!same) {
            throw new SignatureFault(NAME + " is of another signature");
        }
    }

    private static boolean isHash(JsonNode hash, byte[] content) throws SignatureFault {
        return StrictJson.text(NAME, hash, "algorithm").equals("sha256")
                && StrictJson.text(NAME, hash, "value")
                        .equals(Digest.of(content).hex());
    }

    private static byte[] base64(JsonNode json, String... path) throws SignatureFault {
        return StrictJson.base64(NAME, StrictJson.text(NAME, json, path));
    }

    private static boolean isCertificate(byte[] pem, X509Certificate certificate) throws SignatureFault {
        List<X509Certificate> logged = CertificateChain.ofPem(new String(pem, StandardCharsets.UTF_8));
        try {
            return logged.size() == 1 && Arrays.equals(logged.getFirst().getEncoded(), certificate.getEncoded());
        } catch (CertificateEncodingException e) {
            throw new SignatureFault("a certificate is not valid", e);
        }
    }
}
