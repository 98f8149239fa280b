package io.faasimage.format.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.faasimage.format.FormatException;
import io.faasimage.format.id.Digest;
import io.faasimage.format.pem.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyingKeysTest {
    private static final byte[] DOCUMENT = "a statement".getBytes(StandardCharsets.UTF_8);
    /** DER before the 32 bytes of an Ed25519 public key (RFC 8410). */
    private static final String PREFIX = "302a300506032b6570032100";

    @TempDir
    private Path work;

    @Test
    void verifiesTheFirstTestVectorOfTheRfc() throws FormatException {
        byte[] der =
                HexFormat.of().parseHex(PREFIX + "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
        byte[] signature = HexFormat.of()
                .parseHex("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155"
                        + "5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b");
        VerifyingKeys keys = VerifyingKeys.parse(Pem.text(Pem.PUBLIC_KEY, der));
        assertThat(keys.ids()).containsExactly(Digest.of(der));
        assertThat(keys.verify(new SignedDocument(new byte[0], Digest.of(der), signature)))
                .isTrue();
    }

    @Test
    void verifiesOnlyWhatAKeyOfThemHasSigned() throws GeneralSecurityException, FormatException {
        KeyPair ours = pair();
        KeyPair other = pair();
        VerifyingKeys keys = VerifyingKeys.of(ours.getPublic());
        SignedDocument signed = signed(ours, ours, DOCUMENT);
        assertThat(keys.verify(SignedDocument.parse(signed.text()))).isTrue();
        assertThat(keys.verify(signed(other, other, DOCUMENT))).isFalse();
        assertThat(keys.verify(signed(other, ours, DOCUMENT))).isFalse();
        assertThat(keys.and(VerifyingKeys.of(other.getPublic())).verify(signed(other, other, DOCUMENT)))
                .isTrue();
        byte[] bytes = signed.encode();
        for (int i = 0; i < bytes.length; i++) {
            byte[] changed = bytes.clone();
            changed[i] ^= 1;
            assertThat(keys.verify(SignedDocument.decode(changed)))
                    .as("byte " + i)
                    .isFalse();
        }
    }

    @Test
    void aWarmUpVerifiesNothing() throws GeneralSecurityException {
        assertThat(VerifyingKeys.of(pair().getPublic()).warmUp()).isZero();
    }

    @Test
    void filesMayHaveSeveralKeysAndOtherText() throws GeneralSecurityException, IOException {
        KeyPair first = pair();
        KeyPair second = pair();
        KeyPair third = pair();
        Path one = Files.writeString(work.resolve("one"), "from 2027\n" + pem(first) + "until 2027\n" + pem(second));
        Path two = Files.writeString(work.resolve("two"), pem(third));
        VerifyingKeys keys = VerifyingKeys.read(List.of(one, two));
        assertThat(keys.ids()).hasSize(3);
        assertThat(keys.pem()).contains(pem(first), pem(second), pem(third));
    }

    @Test
    void whatIsNoKeyIsRefusedWithTheFilesName() throws GeneralSecurityException, IOException {
        Path missing = work.resolve("missing");
        assertThatThrownBy(() -> VerifyingKeys.read(List.of(missing)))
                .hasMessage("the file of public keys " + missing + " does not exist");
        Path empty = Files.writeString(work.resolve("empty"), "nothing");
        assertThatThrownBy(() -> VerifyingKeys.read(List.of(empty)))
                .hasMessageContaining(empty + " cannot be used: it has no public key");
        byte[] rsa = KeyPairGenerator.getInstance("RSA")
                .generateKeyPair()
                .getPublic()
                .getEncoded();
        Path other = Files.writeString(work.resolve("rsa"), Pem.text(Pem.PUBLIC_KEY, rsa));
        assertThatThrownBy(() -> VerifyingKeys.read(List.of(other))).hasMessageContaining("not of Ed25519");
    }

    @Test
    void textThatIsNoSignedDocumentIsRefused() {
        for (String text : List.of("", "?", "AAAA", "A".repeat(100_000))) {
            assertThatThrownBy(() -> SignedDocument.parse(text)).isInstanceOf(FormatException.class);
        }
    }

    private static KeyPair pair() throws GeneralSecurityException {
        return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    }

    private static String pem(KeyPair pair) {
        return Pem.text(Pem.PUBLIC_KEY, pair.getPublic().getEncoded());
    }

    private static SignedDocument signed(KeyPair by, KeyPair named, byte[] document) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(by.getPrivate());
        signature.update(document);
        return new SignedDocument(document, Digest.of(named.getPublic().getEncoded()), signature.sign());
    }
}
