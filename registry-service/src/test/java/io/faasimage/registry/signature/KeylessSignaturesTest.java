package io.faasimage.registry.signature;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.api.image.SignatureInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.signature.TestAuthority.Signer;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Signatures of cosign by certificates, whose time a transparency log proves. */
class KeylessSignaturesTest extends AbstractSignaturesTest {
    private static final String ISSUER = "https://issuer.example.com";
    private static final String WORKFLOW = "https://git.example.com/team/app/build.yml@refs/tags/v1";
    private static final String LEAF_FROM = "20250101000000Z";
    private static final String LEAF_UNTIL = "20250101001000Z";
    private static final Instant SIGNED = Instant.parse("2025-01-01T00:05:00Z");

    private static Signer workflow;

    @BeforeAll
    static void issue() throws Exception {
        workflow = fulcio(authority, "workflow", WORKFLOW, ISSUER);
    }

    private static Signer fulcio(TestAuthority of, String name, String identity, String issuer) throws Exception {
        return of.issue(
                name,
                "/CN=unused",
                LEAF_FROM,
                LEAF_UNTIL,
                "subjectAltName=critical,URI:" + identity,
                "1.3.6.1.4.1.57264.1.8=ASN1:UTF8String:" + issuer);
    }

    private ImageSignatures keyless() throws Exception {
        return policy(String.join(
                "\n    ",
                "require: cosign-keyless",
                "roots: root.crt",
                "issuer: " + ISSUER,
                "identity: https://git.example.com/team/*/build.yml@refs/tags/*",
                "transparency-log: log.pub"));
    }

    /** The annotations of a keyless signature, with the promise of a log that it was there at a time. */
    private static String[] annotations(Signer signer, String payload, byte[] signature, Instant time, PrivateKey by)
            throws Exception {
        String body = base64(("{\"apiVersion\":\"0.0.1\",\"kind\":\"hashedrekord\",\"spec\":{\"data\":{\"hash\":{"
                        + "\"algorithm\":\"sha256\",\"value\":\""
                        + Digest.of(payload.getBytes(StandardCharsets.UTF_8)).hex()
                        + "\"}},\"signature\":{\"content\":\"" + base64(signature) + "\",\"publicKey\":{\"content\":\""
                        + base64(signer.pem().getBytes(StandardCharsets.UTF_8)) + "\"}}}}")
                .getBytes(StandardCharsets.UTF_8));
        String entry = "{\"body\":\"" + body + "\",\"integratedTime\":" + time.getEpochSecond() + ",\"logID\":\""
                + Digest.of(log.getPublic().getEncoded()).hex() + "\",\"logIndex\":5}";
        String bundle = "{\"SignedEntryTimestamp\":\"" + base64(sign("SHA256withECDSA", by, entry)) + "\",\"Payload\":"
                + entry + "}";
        return new String[] {
            "\"dev.sigstore.cosign/certificate\":\"" + signer.pem().replace("\n", "\\n") + "\"",
            "\"dev.sigstore.cosign/bundle\":\"" + bundle.replace("\"", "\\\"") + "\""
        };
    }

    private void storeKeyless(Signer signer, Instant time, PrivateKey logKey) throws Exception {
        byte[] signature = signer.sign("SHA256withECDSA", payload(IMAGE).getBytes(StandardCharsets.UTF_8));
        store(IMAGE, payload(IMAGE), signature, annotations(signer, payload(IMAGE), signature, time, logKey));
    }

    @Test
    void aCertificateThatWasValidWhenTheLogGotTheSignatureIsAccepted() throws Exception {
        storeKeyless(workflow, SIGNED, log.getPrivate());
        SignatureInfo info = accepted(keyless());
        assertThat(info.signer()).isEqualTo(WORKFLOW + " (" + ISSUER + ")");
        assertThat(info.signedAt()).isEqualTo(SIGNED);
    }

    @Test
    void anExpiredCertificateWithoutAProvenTimeDoesNotCount() throws Exception {
        byte[] signature = workflow.sign("SHA256withECDSA", payload(IMAGE).getBytes(StandardCharsets.UTF_8));
        store(
                IMAGE,
                payload(IMAGE),
                signature,
                annotations(workflow, payload(IMAGE), signature, SIGNED, log.getPrivate())[0]);
        assertRefused(keyless(), "no transparency log proves when it was made");
        storeKeyless(workflow, Instant.parse("2025-01-01T00:10:01Z"), log.getPrivate());
        assertRefused(keyless(), "was not valid at 2025-01-01T00:10:01Z");
        storeKeyless(workflow, SIGNED, key.getPrivate());
        assertRefused(keyless(), "is not signed by the log of the rule");
    }

    @Test
    void theLogsEntryOfAnotherSignatureDoesNotCount() throws Exception {
        byte[] signature = workflow.sign("SHA256withECDSA", payload(IMAGE).getBytes(StandardCharsets.UTF_8));
        store(
                IMAGE,
                payload(IMAGE),
                signature,
                annotations(workflow, payload(OTHER), signature, SIGNED, log.getPrivate()));
        assertRefused(keyless(), "is of another signature");
    }

    /** Stores a bundle of a keyless signature whose entry in the log is of the given signature. */
    private void storeBundle(Signer signer, byte[] logged, Instant time, PrivateKey logKey) throws Exception {
        String statement = statement(IMAGE);
        byte[] signature = signer.sign("SHA256withECDSA", encoded(statement).getBytes(StandardCharsets.UTF_8));
        String body = base64(("{\"apiVersion\":\"0.0.1\",\"kind\":\"dsse\",\"spec\":{\"payloadHash\":{"
                        + "\"algorithm\":\"sha256\",\"value\":\""
                        + Digest.of(statement.getBytes(StandardCharsets.UTF_8)).hex()
                        + "\"},\"signatures\":[{\"signature\":\"" + base64(logged.length == 0 ? signature : logged)
                        + "\",\"verifier\":\"" + base64(signer.pem().getBytes(StandardCharsets.UTF_8)) + "\"}]}}")
                .getBytes(StandardCharsets.UTF_8));
        Digest id = Digest.of(log.getPublic().getEncoded());
        byte[] promise = sign(
                "SHA256withECDSA",
                logKey,
                "{\"body\":\"" + body + "\",\"integratedTime\":" + time.getEpochSecond() + ",\"logID\":\"" + id.hex()
                        + "\",\"logIndex\":5}");
        storeBundle(
                statement,
                signature,
                "\"certificate\":{\"rawBytes\":\""
                        + base64(signer.certificate().getEncoded()) + "\"},\"tlogEntries\":[{\"logIndex\":\"5\","
                        + "\"logId\":{\"keyId\":\"" + base64(id.bytes()) + "\"},\"integratedTime\":\""
                        + time.getEpochSecond() + "\",\"inclusionPromise\":{\"signedEntryTimestamp\":\""
                        + base64(promise) + "\"},\"canonicalizedBody\":\"" + body + "\"}]");
    }

    @Test
    void aBundleWhoseCertificateWasValidIsAccepted() throws Exception {
        storeBundle(workflow, new byte[0], SIGNED, log.getPrivate());
        SignatureInfo info = accepted(keyless());
        assertThat(info.signer()).isEqualTo(WORKFLOW + " (" + ISSUER + ")");
        assertThat(info.signedAt()).isEqualTo(SIGNED);
        storeBundle(workflow, new byte[0], Instant.parse("2025-01-01T00:10:01Z"), log.getPrivate());
        assertRefused(keyless(), "was not valid at 2025-01-01T00:10:01Z");
        storeBundle(workflow, new byte[0], SIGNED, key.getPrivate());
        assertRefused(keyless(), "is not signed by the log of the rule");
        storeBundle(workflow, new byte[] {1}, SIGNED, log.getPrivate());
        assertRefused(keyless(), "is of another signature");
        storeBundle(
                fulcio(authority, "elsewhere", WORKFLOW.replace("tags", "heads"), ISSUER),
                new byte[0],
                SIGNED,
                log.getPrivate());
        assertRefused(keyless(), "it is of another identity");
    }

    @Test
    void aBundleWithoutAPromiseOfTheLogDoesNotCount() throws Exception {
        byte[] signature =
                workflow.sign("SHA256withECDSA", encoded(statement(IMAGE)).getBytes(StandardCharsets.UTF_8));
        String certificate = "\"certificate\":{\"rawBytes\":\""
                + base64(workflow.certificate().getEncoded()) + "\"}";
        storeBundle(statement(IMAGE), signature, certificate);
        assertRefused(keyless(), "no transparency log proves when it was made");
        storeBundle(statement(IMAGE), signature, certificate + ",\"tlogEntries\":[{\"logIndex\":\"5\"}]");
        assertRefused(keyless(), "no promise of the transparency log");
        storeBundle(statement(IMAGE), signature, "\"publicKey\":{\"hint\":\"any\"}");
        assertRefused(keyless(), "it has no certificate");
    }

    @Test
    void aCertificateOfAnotherIdentityIssuerOrAuthorityDoesNotCount() throws Exception {
        storeKeyless(fulcio(authority, "branch", WORKFLOW.replace("tags", "heads"), ISSUER), SIGNED, log.getPrivate());
        assertRefused(keyless(), "it is of another identity, " + WORKFLOW.replace("tags", "heads"));
        storeKeyless(fulcio(authority, "stranger", WORKFLOW, "https://other.example.com"), SIGNED, log.getPrivate());
        assertRefused(keyless(), "it is of another identity");
        TestAuthority rogue = TestAuthority.create(directory, "rogue");
        storeKeyless(fulcio(rogue, "forged", WORKFLOW, ISSUER), SIGNED, log.getPrivate());
        assertRefused(keyless(), "its certificate is not of an authority of the rule");
    }
}
