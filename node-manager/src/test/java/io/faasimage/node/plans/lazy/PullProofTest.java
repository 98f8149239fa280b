package io.faasimage.node.plans.lazy;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import io.faasimage.node.plans.lazy.PullProof.Proven;
import io.faasimage.node.plans.lazy.PullProof.Purpose;
import org.junit.jupiter.api.Test;

class PullProofTest {
    private static final Digest MANIFEST = Digest.of(new byte[] {1});

    @Test
    void aProofHoldsForItsManifestPurposeAndKeyAlone() {
        String proof = PullProof.of(MANIFEST, Purpose.CATALOGUE, "extract-1 a");
        assertThat(PullProof.proven(proof, "extract-1 a")).contains(new Proven(MANIFEST, Purpose.CATALOGUE));
        assertThat(PullProof.proven(proof, "extract-2 a")).isEmpty();
        assertThat(PullProof.proven(proof.replace("CATALOGUE", "START"), "extract-1 a"))
                .isEmpty();
        String other =
                proof.replace(MANIFEST.toString(), Digest.of(new byte[] {2}).toString());
        assertThat(PullProof.proven(other, "extract-1 a")).isEmpty();
    }

    @Test
    void aDigestAloneProvesNothing() {
        assertThat(PullProof.proven(MANIFEST.toString(), "k")).isEmpty();
        assertThat(PullProof.proven(MANIFEST + " START ", "k")).isEmpty();
        assertThat(PullProof.proven(MANIFEST + " START x y", "k")).isEmpty();
        assertThat(PullProof.proven("no digest at", "k")).isEmpty();
    }
}
