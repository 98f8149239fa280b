package io.faasimage.registry.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.image.SignatureInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pem.Pem;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.image.ImageLocation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signatures of cosign by keys, and the policy. */
class CosignKeySignaturesTest extends AbstractSignaturesTest {
    private ImageSignatures byKey() throws Exception {
        return policy("require: cosign-key\n    keys: cosign.pub");
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

    private void storeBundle(String statement) throws Exception {
        storeBundle(
                statement,
                sign("SHA256withECDSA", key.getPrivate(), encoded(statement)),
                "\"publicKey\":{\"hint\":\"any\"}");
    }

    @Test
    void aBundleOfTheImageIsAccepted() throws Exception {
        storeBundle(statement(IMAGE));
        SignatureInfo info = accepted(byKey());
        assertThat(info.signed()).isEqualTo(IMAGE.toString());
        assertThat(info.signer()).isEqualTo("key " + Digest.of(key.getPublic().getEncoded()));
        storeBundle(statement(OTHER));
        assertRefused(byKey(), "the signed statement is of another image");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSignatureThatCosignMadeIsAccepted(boolean tagged) throws Exception {
        Files.writeString(directory.resolve("real.pub"), resource("cosign/cosign.pub"));
        Path policy = Files.writeString(
                directory.resolve("real.yaml"),
                "rules: [{name: real, repositories: '**', require: cosign-key, keys: real.pub}]");
        Digest image = Digest.parse("sha256:bee6c48032ba1aee618aaae02e36a9f523293ac66b016490d963886aa16036e8");
        if (tagged) {
            files.tag("sha256-" + image.hex() + ".sig", resource("cosign/sig.json"));
            files.blob(resource("cosign/payload.json").getBytes(StandardCharsets.UTF_8));
        } else {
            files.refer(image, resource("cosign/referrers.json"));
            files.manifest(resource("cosign/manifest.json"));
            files.blob(resource("cosign/bundle.json").getBytes(StandardCharsets.UTF_8));
        }
        assertThat(new ImageSignatures(Optional.of(policy), NOW)
                        .check(ImageLocation.parse("127.0.0.1:15999/team/app:1"), Optional.of(files), List.of(image))
                        .orElseThrow()
                        .signed())
                .isEqualTo(image.toString());
    }

    @Test
    void anAttestationByTheSameKeyIsNoSignature() throws Exception {
        storeBundle(statement(IMAGE).replace("https://sigstore.dev/cosign/sign/v1", "https://spdx.dev/Document"));
        assertRefused(byKey(), "an attestation");
    }

    @Test
    void aBundleOfAnotherKeyOrWithAnotherStatementDoesNotCount() throws Exception {
        byte[] signature = sign("SHA256withECDSA", log.getPrivate(), encoded(statement(IMAGE)));
        storeBundle(statement(IMAGE), signature, "");
        assertRefused(byKey(), "by none of the rule's keys");
        byte[] ofOther = sign("SHA256withECDSA", key.getPrivate(), encoded(statement(OTHER)));
        storeBundle(statement(IMAGE), ofOther, "");
        assertRefused(byKey(), "by none of the rule's keys");
        // The bare statement: what is signed begins with its type.
        byte[] bare = sign("SHA256withECDSA", key.getPrivate(), statement(IMAGE));
        storeBundle(statement(IMAGE), bare, "");
        assertRefused(byKey(), "by none of the rule's keys");
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
