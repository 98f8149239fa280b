package io.faasimage.registry.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.faasimage.format.id.Digest;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentlyUsedTest {
    private static final Digest A = Digest.of(new byte[] {1});
    private static final Digest B = Digest.of(new byte[] {2});
    private static final Digest C = Digest.of(new byte[] {3});

    @Test
    void theSumOfObjectsIsBoundedAndTheLeastUsedGoes() {
        RecentlyUsed<List<Integer>> recent = new RecentlyUsed<>(4, List::size);
        recent.put(A, List.of(1, 2));
        recent.put(B, List.of(1, 2));
        assertThat(recent.get(A)).isPresent();
        recent.put(C, List.of(1));
        assertThat(recent.get(B)).isEmpty();
        assertThat(recent.get(A)).isPresent();
        recent.put(A, List.of(1, 2, 3));
        assertThat(recent.size()).isEqualTo(2);
        recent.put(B, List.of(1, 2, 3, 4, 5, 6));
        assertThat(recent.get(B)).hasValueSatisfying(six -> assertThat(six).hasSize(6));
        assertThat(recent.size()).isEqualTo(1);
        recent.remove(B);
        recent.put(A, List.of(1, 2));
        recent.put(C, List.of(1, 2));
        assertThat(recent.size()).isEqualTo(2);
    }
}
