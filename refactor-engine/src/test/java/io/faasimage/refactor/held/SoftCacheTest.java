package io.faasimage.refactor.held;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A cache that the heap may empty. */
class SoftCacheTest {
    private static final long ENTRY = SoftCache.ENTRY_BYTES;

    private final List<SoftReference<String>> references = new ArrayList<>();
    private final SoftCache<String, String> cache = new SoftCache<>(3 * (ENTRY + 1), value -> {
        references.add(new SoftReference<>(value));
        return references.getLast();
    });

    @Test
    void entriesWeighAlsoWithoutAValue() {
        for (int i = 0; i < 10; i++) {
            cache.add("k" + i, "", 0);
        }
        assertThat(cache.weight()).isEqualTo(3 * ENTRY);
        assertThat(cache.find("k6")).isEmpty();
        assertThat(cache.find("k7")).isPresent();
        assertThat(cache.fits(2 * ENTRY + 3)).isTrue();
        assertThat(cache.fits(2 * ENTRY + 4)).isFalse();
    }

    @Test
    void aDroppedValueTakesNoRoomOnceItIsLookedFor() {
        cache.add("dropped", "value", 1);
        cache.add("a", "value", 1);
        cache.add("b", "value", 1);
        references.getFirst().clear();
        assertThat(cache.find("dropped")).isEmpty();
        assertThat(cache.weight()).isEqualTo(2 * (ENTRY + 1));
        cache.add("c", "value", 1);
        assertThat(cache.find("a")).isPresent();
        cache.add("dropped", "again", 1);
        assertThat(cache.find("dropped")).contains("again");
        assertThat(cache.weight()).isEqualTo(3 * (ENTRY + 1));
    }

    @Test
    void anEmptyCacheStaysEmpty() {
        SoftCache<String, String> none = new SoftCache<>(0);
        none.add("a", "value", 0);
        assertThat(none.find("a")).isEmpty();
        assertThat(none.weight()).isZero();
    }
}
