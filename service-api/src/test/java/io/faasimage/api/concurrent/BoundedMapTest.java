package io.faasimage.api.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class BoundedMapTest {
    private static Map<String, Integer> filled(Map<String, Integer> map) {
        map.put("a", 1);
        map.put("b", 2);
        assertThat(map.get("a")).isEqualTo(1);
        map.put("c", 3);
        return map;
    }

    @Test
    void theFirstPutGoesFirst() {
        assertThat(filled(BoundedMap.lastPut(2))).containsOnlyKeys("b", "c");
    }

    @Test
    void theLeastUsedGoesFirst() {
        assertThat(filled(BoundedMap.lastUsed(2))).containsOnlyKeys("a", "c");
    }
}
