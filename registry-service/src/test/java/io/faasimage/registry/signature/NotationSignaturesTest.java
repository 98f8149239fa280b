package io.faasimage.registry.signature;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.refactor.image.ImageLocation;
import io.faasimage.registry.signature.TestAuthority.Signer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures of notation. */
class NotationSignaturesTest extends AbstractSignaturesTest {
    private static final String HEADER = "{\"alg\":\"ES256\",\"cty\":\"application/vnd.cncf.notary.payload.v1+json\","
            + "\"crit\":[\"io.cncf.notary.signingScheme\"],\"io.cncf.notary.signingScheme\":\"notary.x509\"}";

    private ImageSignatures notation() throws Exception {
        return policy("require: notation\n    roots: root.crt\n    identities: 'x509.subject: C=DE, O=Example'");
    }

    private static String url(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

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

    @ParameterizedTest
    @ValueSource(strings = {"none", "HS256", "ES384", "PS256"})
    void anEnvelopeDoesNotChooseItsAlgorithm(String algorithm) throws Exception {
        storeNotation(notary("confused", "/C=DE/O=Example"), HEADER.replace("ES256", algorithm), IMAGE);
        assertRefused(notation(), "another algorithm than its certificate's key, ES256");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            notary.x509"} | notary.x509.signingAuthority"} | the scheme notary.x509
            :"notary.x509"} | :"notary.x509","io.cncf.notary.expiry":"2026-05-31T00:00:00Z"} | it has expired
            "crit":["io | "crit":["io.cncf.notary.verificationPlugin","io | an extension that is not supported
            "crit":["io.cncf.notary.signingScheme"] | "crit":[] | does not mark its scheme as critical
            {"alg":"ES256" | {"alg":"none","alg":"ES256" | has a name twice
            """, quoteCharacter = '\'')
    void aHeaderThatIsNotUnderstoodDoesNotCount(String part, String replacement, String reason) throws Exception {
        String header = HEADER.replace(part, replacement);
        assertThat(header).isNotEqualTo(HEADER);
        storeNotation(notary("header", "/C=DE/O=Example"), header, IMAGE);
        assertRefused(notation(), reason);
    }
}
