package io.faasimage.registry.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.image.SignatureInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pem.Pem;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.ImageLocation;
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
import org.junit.jupiter.api.io.TempDir;

/** A repository with signatures as they are stored, made with keys and authorities of the test. */
abstract class AbstractSignaturesTest {
    static final Digest IMAGE = Digest.of("manifest".getBytes(StandardCharsets.UTF_8));
    static final Digest INDEX = Digest.of("index".getBytes(StandardCharsets.UTF_8));
    static final Digest OTHER = Digest.of("other".getBytes(StandardCharsets.UTF_8));
    static final String BUNDLE = "application/vnd.dev.sigstore.bundle.v0.3+json";
    static final Clock NOW = Clock.fixed(Instant.parse("2026-06-01T00:00:00Z"), ZoneOffset.UTC);

    @TempDir
    static Path directory;

    static KeyPair log;
    static KeyPair key;
    static TestAuthority authority;

    final FakeFiles files = new FakeFiles();

    @BeforeAll
    static void makeKeys() throws Exception {
        authority = TestAuthority.create(directory, "root");
        log = pair("EC", 256);
        key = pair("EC", 256);
        Files.writeString(
                directory.resolve("log.pub"),
                Pem.text(Pem.PUBLIC_KEY, log.getPublic().getEncoded()));
        Files.writeString(
                directory.resolve("cosign.pub"),
                Pem.text(Pem.PUBLIC_KEY, key.getPublic().getEncoded()));
    }

    static KeyPair pair(String type, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(type);
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    static byte[] sign(String algorithm, PrivateKey key, String message) throws Exception {
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(message.getBytes(StandardCharsets.UTF_8));
        return signature.sign();
    }

    static String payload(Digest image) {
        return "{\"critical\":{\"identity\":{\"docker-reference\":\"registry.example.com/team/app\"},"
                + "\"image\":{\"docker-manifest-digest\":\"" + image + "\"},"
                + "\"type\":\"cosign container image signature\"},\"optional\":null}";
    }

    static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** Stores a cosign signature for an image, with more annotations, each {@code "name":"value"}. */
    void store(Digest image, String payload, byte[] signature, String... annotations) {
        Digest blob = files.blob(payload.getBytes(StandardCharsets.UTF_8));
        String more = Arrays.stream(annotations).map(a -> "," + a).reduce("", String::concat);
        files.tag(
                "sha256-" + image.hex() + ".sig",
                "{\"schemaVersion\":2,\"layers\":[{\"mediaType\":\"application/vnd.dev.cosign.simplesigning.v1+json\","
                        + "\"digest\":\"" + blob + "\",\"size\":1,\"annotations\":{"
                        + "\"dev.cosignproject.cosign/signature\":\"" + base64(signature) + "\"" + more + "}}]}");
    }

    /** What a real tool made; README.md beside it says how. */
    static String resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(AbstractSignaturesTest.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** What cosign 3 signs: a statement about an image. */
    static String statement(Digest image) {
        return "{\"_type\":\"https://in-toto.io/Statement/v1\",\"subject\":[{\"digest\":{\"sha256\":\"" + image.hex()
                + "\"}}],\"predicateType\":\"https://sigstore.dev/cosign/sign/v1\",\"predicate\":{}}";
    }

    /** The bytes that are signed for a statement. */
    static String encoded(String statement) {
        return "DSSEv1 28 application/vnd.in-toto+json " + statement.length() + " " + statement;
    }

    /** Stores a bundle as the one referrer of the image, with what verifies its signature. */
    void storeBundle(String statement, byte[] signature, String material) {
        Digest bundle = files.blob(("{\"mediaType\":\"" + BUNDLE + "\",\"verificationMaterial\":{" + material
                        + "},\"dsseEnvelope\":{\"payload\":\"" + base64(statement.getBytes(StandardCharsets.UTF_8))
                        + "\",\"payloadType\":\"application/vnd.in-toto+json\",\"signatures\":[{\"sig\":\""
                        + base64(signature) + "\"}]}}")
                .getBytes(StandardCharsets.UTF_8));
        Digest manifest = files.manifest(
                "{\"layers\":[{\"mediaType\":\"" + BUNDLE + "\",\"digest\":\"" + bundle + "\",\"size\":1}]}");
        files.refer(IMAGE, "{\"manifests\":[{\"artifactType\":\"" + BUNDLE + "\",\"digest\":\"" + manifest + "\"}]}");
    }

    ImageSignatures policy(String rule) throws Exception {
        Path file = Files.writeString(directory.resolve("policy.yaml"), """
                rules:
                  - name: team
                    repositories: [registry.example.com/team/**]
                    %s
                  - {name: others, repositories: "docker.io/**", require: none}
                """.formatted(rule));
        return new ImageSignatures(Optional.of(file), NOW);
    }

    Optional<SignatureInfo> check(ImageSignatures signatures, String reference) throws Exception {
        return signatures.check(ImageLocation.parse(reference), Optional.of(files), List.of(IMAGE, INDEX));
    }

    SignatureInfo accepted(ImageSignatures signatures) throws Exception {
        return check(signatures, "registry.example.com/team/app:1").orElseThrow();
    }

    void assertRefused(ImageSignatures signatures, String reason) {
        assertThatThrownBy(() -> check(signatures, "registry.example.com/team/app:1"))
                .isInstanceOfSatisfying(
                        RefactorException.class, e -> assertThat(e.kind()).isEqualTo(RefactorException.Kind.INVALID))
                .hasMessageContainingAll("rule 'team'", reason, "--faasimage.image-signatures.policy");
    }
}
