package io.faasimage.node.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import org.junit.jupiter.api.Test;

class PullProofTest {
    private static final Digest MANIFEST = Digest.of(new byte[] {1});

    @Test
    void aProofHoldsForItsManifestAndKeyAlone() {
        String proof = PullProof.of(MANIFEST, "extract-1 a");
        assertThat(PullProof.manifest(proof, "extract-1 a")).contains(MANIFEST);
        assertThat(PullProof.manifest(proof, "extract-2 a")).isEmpty();
        String other =
                proof.replace(MANIFEST.toString(), Digest.of(new byte[] {2}).toString());
        assertThat(PullProof.manifest(other, "extract-1 a")).isEmpty();
    }

    @Test
    void aDigestAloneProvesNothing() {
        assertThat(PullProof.manifest(MANIFEST.toString(), "k")).isEmpty();
        assertThat(PullProof.manifest(MANIFEST + " ", "k")).isEmpty();
        assertThat(PullProof.manifest("no digest", "k")).isEmpty();
    }
}
