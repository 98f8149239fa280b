package io.faasimage.node.starts.record;

import io.faasimage.api.concurrent.BoundedMap;
import io.faasimage.format.id.ChainId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The newest few thousand unpackings of unplanned layers: when each happened, and why the layer is unplanned. Times are
 * nanoseconds of the monotonic clock. Guarded by the recorder's lock.
 */
final class Layers {
    private static final int MOST = 4096;

    private final Map<ChainId, Unpacking> unpackings = BoundedMap.lastPut(MOST);
    private final Map<ChainId, String> reasons = BoundedMap.lastPut(MOST);

    private record Unpacking(long begin, long end) {}

    void unplanned(ChainId chain, String reason) {
        reasons.put(chain, reason);
    }

    Optional<String> reason(ChainId chain) {
        return Optional.ofNullable(reasons.get(chain));
    }

    void unpackBegun(ChainId chain, long now) {
        unpackings.put(chain, new Unpacking(now, now));
    }

    void unpackEnded(ChainId chain, long now) {
        unpackings.computeIfPresent(chain, (c, unpacking) -> new Unpacking(unpacking.begin(), now));
    }

    /**
     * The time when the first of an image's layers that were unpacked for a container was requested; empty when none
     * was. Forgets these layers.
     *
     * @param layers of the image, top first
     * @param asked when the container was requested
     * @param gap longest pause between two layers, and between the last one and the container
     */
    OptionalLong take(List<ChainId> layers, long asked, long gap) {
        OptionalLong first = OptionalLong.empty();
        long next = asked;
        for (ChainId layer : layers) {
            Unpacking unpacking = unpackings.remove(layer);
            if (unpacking == null || next - unpacking.end() > gap) {
                break;
            }
            next = Math.min(next, unpacking.begin());
            first = OptionalLong.of(next);
        }
        return first;
    }
}
