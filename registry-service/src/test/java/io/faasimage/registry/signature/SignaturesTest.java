package io.faasimage.registry.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.image.SignatureInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pem.Pem;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.registry.signature.TestAuthority.Signer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures of cosign and notation as they are stored, made with keys and authorities of the test. */
class SignaturesTest {
    private static final Digest IMAGE = Digest.of("manifest".getBytes(StandardCharsets.UTF_8));
    private static final Digest INDEX = Digest.of("index".getBytes(StandardCharsets.UTF_8));
    private static final Digest OTHER = Digest.of("other".getBytes(StandardCharsets.UTF_8));
    private static final String ISSUER = "https://issuer.example.com";
    private static final String WORKFLOW = "https://git.example.com/team/app/build.yml@refs/tags/v1";
    private static final String LEAF_FROM = "20250101000000Z";
    private static final String LEAF_UNTIL = "20250101001000Z";
    private static final Instant SIGNED = Instant.parse("2025-01-01T00:05:00Z");
    private static final Clock NOW = Clock.fixed(Instant.parse("2026-06-01T00:00:00Z"), ZoneOffset.UTC);

    @TempDir
    private static Path directory;

    private static TestAuthority authority;
    private static Signer workflow;
    private static KeyPair log;
    private static KeyPair key;

    private final FakeFiles files = new FakeFiles();

    @BeforeAll
    static void makeKeys() throws Exception {
        authority = TestAuthority.create(directory, "root");
        workflow = fulcio(authority, "workflow", WORKFLOW, ISSUER);
        log = pair("EC", 256);
        key = pair("EC", 256);
        Files.writeString(
                directory.resolve("log.pub"),
                Pem.text(Pem.PUBLIC_KEY, log.getPublic().getEncoded()));
        Files.writeString(
                directory.resolve("cosign.pub"),
                Pem.text(Pem.PUBLIC_KEY, key.getPublic().getEncoded()));
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

    private static KeyPair pair(String type, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    private static byte[] sign(String algorithm, PrivateKey key, String message) throws Exception {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(message.getBytes(StandardCharsets.UTF_8));
        return signature.sign();
    }

    private static String payload(Digest image) {
        return "{\"critical\":{\"identity\":{\"docker-reference\":\"registry.example.com/team/app\"},"
                + "\"image\":{\"docker-manifest-digest\":\"" + image + "\"},"
                + "\"type\":\"cosign container image signature\"},\"optional\":null}";
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Stores a cosign signature for an image, with more annotations, each {@code "name":"value"}. */
    private void store(Digest image, String payload, byte[] signature, String... annotations) {
        Digest blob = files.blob(payload.getBytes(StandardCharsets.UTF_8));
        String more = Arrays.stream(annotations).map(a -> "," + a).reduce("", String::concat);
        files.tag(
                "sha256-" + image.hex() + ".sig",
                "{\"schemaVersion\":2,\"layers\":[{\"mediaType\":\"application/vnd.dev.cosign.simplesigning.v1+json\","
                        + "\"digest\":\"" + blob + "\",\"size\":1,\"annotations\":{"
                        + "\"dev.cosignproject.cosign/signature\":\"" + base64(signature) + "\"" + more + "}}]}");
    }

    private ImageSignatures policy(String rule) throws Exception {
        Path file = Files.writeString(directory.resolve("policy.yaml"), """
                rules:
                  - name: team
                    repositories: [registry.example.com/team/**]
                    %s
                  - {name: others, repositories: "docker.io/**", require: none}
                """.formatted(rule));
        return new ImageSignatures(Optional.of(file), NOW);
    }

    private ImageSignatures byKey() throws Exception {
        return policy("require: cosign-key\n    keys: cosign.pub");
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

    private Optional<SignatureInfo> check(ImageSignatures signatures, String reference) throws Exception {
        return signatures.check(ImageLocation.parse(reference), Optional.of(files), List.of(IMAGE, INDEX));
    }

    private SignatureInfo accepted(ImageSignatures signatures) throws Exception {
        return check(signatures, "registry.example.com/team/app:1").orElseThrow();
    }

    private void assertRefused(ImageSignatures signatures, String reason) {
        assertThatThrownBy(() -> check(signatures, "registry.example.com/team/app:1"))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(RefactorException.Kind.INVALID))
                .hasMessageContainingAll("rule 'team'", reason, "--faasimage.image-signatures.policy");
    }

    @Test
    void theManifestOrTheIndexThatNamesItMayBeSigned() throws Exception {
        store(INDEX, payload(INDEX), sign("SHA256withECDSA", key.getPrivate(), payload(INDEX)));
        SignatureInfo info = accepted(byKey());
        assertThat(info.signed()).isEqualTo(INDEX.toString());
        assertThat(info.signer()).isEqualTo("key " + Digest.of(key.getPublic().getEncoded()));
    }

    @ParameterizedTest
    @CsvSource({"EC,384,SHA256withECDSA", "EC,384,SHA384withECDSA", "RSA,2048,SHA256withRSA", "Ed25519,255,Ed25519"})
    void eachKindOfKeyIsAccepted(String type, int bits, String algorithm) throws Exception {
        KeyPair pair = pair(type, bits);
        Files.writeString(
                directory.resolve("other.pub"),
                Pem.text(Pem.PUBLIC_KEY, pair.getPublic().getEncoded()));
        store(IMAGE, payload(IMAGE), sign(algorithm, pair.getPrivate(), payload(IMAGE)));
        assertThat(accepted(policy("require: cosign-key\n    keys: [cosign.pub, other.pub]"))
                        .kind())
                .isEqualTo("cosign-key");
    }

    @Test
    void aSignatureOfAnotherImageDoesNotCount() throws Exception {
        store(IMAGE, payload(OTHER), sign("SHA256withECDSA", key.getPrivate(), payload(OTHER)));
        assertRefused(byKey(), "is of another image");
    }

    @Test
    void aSignatureOfTheIndexDoesNotCountInTheManifestsTag() throws Exception {
        store(IMAGE, payload(INDEX), sign("SHA256withECDSA", key.getPrivate(), payload(INDEX)));
        assertRefused(byKey(), "is of another image");
    }

    @Test
    void anotherKeyDoesNotCount() throws Exception {
        store(IMAGE, payload(IMAGE), sign("SHA256withECDSA", log.getPrivate(), payload(IMAGE)));
        assertRefused(byKey(), "by none of the rule's keys");
    }

    @Test
    void aChangedPayloadDoesNotCount() throws Exception {
        store(IMAGE, payload(IMAGE), sign("SHA256withECDSA", key.getPrivate(), payload(OTHER)));
        assertRefused(byKey(), "by none of the rule's keys");
    }

    @Test
    void aPayloadWithTwoDigestsDoesNotCountEvenWhenItIsSigned() throws Exception {
        String two = payload(IMAGE)
                .replace(
                        "{\"docker-manifest-digest\"",
                        "{\"docker-manifest-digest\":\"" + OTHER + "\",\"docker-manifest-digest\"");
        store(IMAGE, two, sign("SHA256withECDSA", key.getPrivate(), two));
        assertRefused(byKey(), "has a name twice");
    }

    @Test
    void aPayloadOfAnotherKindDoesNotCount() throws Exception {
        String attestation = payload(IMAGE).replace("container image signature", "attestation");
        store(IMAGE, attestation, sign("SHA256withECDSA", key.getPrivate(), attestation));
        assertRefused(byKey(), "is not one of an image");
    }

    @Test
    void anImageWithoutASignatureIsRefusedAndOneOfAnotherRuleIsNot() throws Exception {
        assertRefused(byKey(), "there is no signature at tag sha256-" + IMAGE.hex() + ".sig");
        assertThat(check(byKey(), "python:3").orElseThrow().rule()).isEqualTo("others");
        assertThatThrownBy(() -> check(byKey(), "elsewhere.example.com/app:1"))
                .hasMessageContaining("no rule of the signature policy is for elsewhere.example.com/app");
    }

    @Test
    void aRegistryThatIsAwayNeitherAcceptsNorRefuses() throws Exception {
        files.leave();
        assertThatThrownBy(() -> accepted(byKey()))
                .isInstanceOfSatisfying(
                        RefactorException.class,
                        e -> assertThat(e.isTransient()).isTrue());
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

    private ImageSignatures notation() throws Exception {
        return policy("require: notation\n    roots: root.crt\n    identities: 'x509.subject: C=DE, O=Example'");
    }

    private static String url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static final String HEADER = "{\"alg\":\"ES256\",\"cty\":\"application/vnd.cncf.notary.payload.v1+json\","
            + "\"crit\":[\"io.cncf.notary.signingScheme\"],\"io.cncf.notary.signingScheme\":\"notary.x509\"}";

    private void storeNotation(Signer signer, String header, Digest image) throws Exception {
        String signed = url(header.getBytes(StandardCharsets.UTF_8)) + "."
                + url(("{\"targetArtifact\":{\"digest\":\"" + image + "\",\"size\":1}}")
                        .getBytes(StandardCharsets.UTF_8));
        byte[] signature = signer.sign("SHA256withECDSAinP1363Format", signed.getBytes(StandardCharsets.US_ASCII));
        String[] parts = signed.split("\\.", -1);
        Digest envelope = files.blob(("{\"payload\":\"" + parts[1] + "\",\"protected\":\"" + parts[0]
                        + "\",\"header\":{\"x5c\":[\""
                        + base64(signer.certificate().getEncoded())
                        + "\"]},\"signature\":\"" + url(signature) + "\"}")
                .getBytes(StandardCharsets.UTF_8));
        Digest manifest = files.manifest(
                "{\"layers\":[{\"mediaType\":\"application/jose+json\",\"digest\":\"" + envelope + "\",\"size\":1}]}");
        files.refer(
                IMAGE,
                "{\"manifests\":[{\"artifactType\":\"application/vnd.cncf.notary.signature\",\"digest\":\"" + manifest
                        + "\"}]}");
    }

    private static Signer notary(String name, String subject) throws Exception {
        return authority.issue(name, subject, "20260101000000Z", "20270101000000Z");
    }

    @Test
    void aSignatureOfNotationIsAcceptedWhileItsCertificateIsValid() throws Exception {
        storeNotation(notary("notary", "/C=DE/O=Example/CN=release"), HEADER, IMAGE);
        assertThat(accepted(notation()).signer()).isEqualTo("CN=release,O=Example,C=DE");
        storeNotation(authority.issue("late", "/C=DE/O=Example", "20250101000000Z", "20260101000000Z"), HEADER, IMAGE);
        assertRefused(notation(), "was not valid at");
        storeNotation(notary("other", "/C=DE/O=Others"), HEADER, IMAGE);
        assertRefused(notation(), "it is of another identity, O=Others,C=DE");
        storeNotation(notary("notary2", "/C=DE/O=Example"), HEADER, OTHER);
        assertRefused(notation(), "is of another image");
    }

    /** What notation 1.3.2 made; README.md beside it says how. */
    @Test
    void aSignatureThatNotationMadeIsAccepted() throws Exception {
        Files.writeString(directory.resolve("notation.crt"), resource("notation/root.crt"));
        Path policy = Files.writeString(directory.resolve("real.yaml"), """
                rules:
                  - name: real
                    repositories: 127.0.0.1:15999/**
                    require: notation
                    roots: notation.crt
                    identities: "x509.subject: C=US, ST=WA, L=Seattle, O=Notary, CN=example.com"
                """);
        Digest image = Digest.parse("sha256:c11a2a9d8188d31b9f74607ce53e5bbad8d59f36ed7bbf47eb767bc482ce08d7");
        files.refer(image, resource("notation/referrers.json"));
        files.manifest(resource("notation/manifest.json"));
        files.blob(resource("notation/envelope.json").getBytes(StandardCharsets.UTF_8));
        ImageSignatures then = new ImageSignatures(
                Optional.of(policy), Clock.fixed(Instant.parse("2026-11-27T00:00:00Z"), ZoneOffset.UTC));
        ImageLocation location = ImageLocation.parse("127.0.0.1:15999/team/app:1");
        assertThat(then.check(location, Optional.of(files), List.of(image))
                        .orElseThrow()
                        .signed())
                .isEqualTo(image.toString());
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(SignaturesTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "HS256", "ES384", "PS256"})
    void anEnvelopeDoesNotChooseItsAlgorithm(String algorithm) throws Exception {
        storeNotation(notary("confused", "/C=DE/O=Example"), HEADER.replace("ES256", algorithm), IMAGE);
        assertRefused(notation(), "another algorithm than its certificate's key, ES256");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            notary.x509"}            | notary.x509.signingAuthority"}                                     | the scheme notary.x509
            Scheme":"notary.x509"}   | Scheme":"notary.x509","io.cncf.notary.expiry":"2026-05-31T00:00:00Z"} | it has expired
            "crit":["io              | "crit":["io.cncf.notary.verificationPlugin","io                    | an extension that is not supported
            "crit":["io.cncf.notary.signingScheme"] | "crit":[]                                           | does not mark its scheme as critical
            {"alg":"ES256"           | {"alg":"none","alg":"ES256"                                        | has a name twice
            """, quoteCharacter = '\'')
    void aHeaderThatIsNotUnderstoodDoesNotCount(String part, String replacement, String reason) throws Exception {
        String header = HEADER.replace(part, replacement);
        assertThat(header).isNotEqualTo(HEADER);
        storeNotation(notary("header", "/C=DE/O=Example"), header, IMAGE);
        assertRefused(notation(), reason);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            require: cosign-keys           | rule 'team': 'require' is one of
            require: cosign-key            | rule 'team': 'keys' must be
            require: none, keys: x         | is not valid
            require: notation              | rule 'team': 'roots' must be
            """)
    void aPolicyThatIsNotUnderstoodEndsTheStart(String rule, String reason) {
        assertThatThrownBy(() -> policy(rule))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("faasimage.image-signatures.policy: ", "policy.yaml", reason);
    }
}
