package io.faasimage.registry.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.api.image.SignatureInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pem.Pem;
import io.faasimage.refactor.fault.RefactorException;
import java.nio.file.Files;
import java.security.KeyPair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
