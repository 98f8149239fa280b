package io.faasimage.registry.signature;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * The promise of a transparency log (Rekor) that it has an entry: who presents it proves that a signature with a
 * certificate was there at a time. The log is not asked.
 */
final class TransparencyEntry {
    private static final String NAME = "the transparency log's entry";
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/]+={0,2}");

    private TransparencyEntry() {}

    /**
     * Verifies that the log signed an entry for exactly this payload, signature and certificate.
     *
     * @param bundle the annotation {@code dev.sigstore.cosign/bundle}
     * @return when the log got it
     */
    static Instant verify(String bundle, PublicKey log, byte[] payload, byte[] signature, X509Certificate certificate)
            throws SignatureFault {
        JsonNode json = StrictJson.object(NAME, bundle.getBytes(StandardCharsets.UTF_8));
        String body = StrictJson.text(NAME, json, "Payload", "body");
        String logId = StrictJson.text(NAME, json, "Payload", "logID");
        JsonNode time = json.path("Payload").path("integratedTime");
        JsonNode index = json.path("Payload").path("logIndex");
        if (!BASE64.matcher(body).matches()
                || !time.isIntegralNumber()
                || !time.canConvertToLong()
                || !index.isIntegralNumber()
                || !index.canConvertToLong()) {
            throw new SignatureFault(NAME + " is not valid");
        }
        if (!logId.equals(Digest.of(log.getEncoded()).hex())) {
            throw new SignatureFault(NAME + " is of another log");
        }
        // RFC 8785: names in order, no space; none of the values needs an escape.
        String canonical = "{\"body\":\"" + body + "\",\"integratedTime\":" + time.longValue() + ",\"logID\":\"" + logId
                + "\",\"logIndex\":" + index.longValue() + "}";
        byte[] promise = StrictJson.base64(NAME, StrictJson.text(NAME, json, "SignedEntryTimestamp"));
        if (!SigningKeys.verifies(log, canonical.getBytes(StandardCharsets.UTF_8), promise)) {
            throw new SignatureFault(NAME + " is not signed by the log of the rule");
        }
        checkBody(StrictJson.object(NAME, StrictJson.base64(NAME, body)), payload, signature, certificate);
        return instant(time.longValue());
    }

    private static Instant instant(long seconds) throws SignatureFault {
        if (seconds <= 0 || seconds > Instant.parse("9999-01-01T00:00:00Z").getEpochSecond()) {
            throw new SignatureFault(NAME + " has no valid time");
        }
        return Instant.ofEpochSecond(seconds);
    }

    private static void checkBody(JsonNode body, byte[] payload, byte[] signature, X509Certificate certificate)
            throws SignatureFault {
        boolean same = StrictJson.text(NAME, body, "kind").equals("hashedrekord")
                && StrictJson.text(NAME, body, "spec", "data", "hash", "algorithm")
                        .equals("sha256")
                && StrictJson.text(NAME, body, "spec", "data", "hash", "value")
                        .equals(Digest.of(payload).hex())
                && Arrays.equals(base64(body, "spec", "signature", "content"), signature)
                && isCertificate(base64(body, "spec", "signature", "publicKey", "content"), certificate);
        if (!same) {
            throw new SignatureFault(NAME + " is of another signature");
        }
    }

    private static byte[] base64(JsonNode body, String... path) throws SignatureFault {
        return StrictJson.base64(NAME, StrictJson.text(NAME, body, path));
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
