package io.faasimage.node;

import io.faasimage.linux.MountTable;
import io.faasimage.node.event.Events;
import io.faasimage.node.rootfs.DataLayers;
import io.faasimage.store.FastTier;
import java.io.IOException;
import java.util.Optional;

/**
 * The decision whether the configured fast tier can be used; if not, everything goes to the capacity tier, with an
 * event.
 */
final class FastTierChoice {
    private FastTierChoice() {}

    static Optional<FastTier> usable(NodeConfig config, Events events) throws IOException {
        if (config.fast().isEmpty()) {
            return Optional.empty();
        }
        FastTier fast = config.fast().get();
        if (!fast.isApartFrom(config.root())) {
            return without(
                    fast,
                    "no file system of its own is mounted there; mount one and restart the agent, or leave --fast-dir out",
                    events);
        }
        long others = DataLayers.withoutFast(MountTable.read(), config.root(), fast.directory());
        if (others > 0) {
            return without(
                    fast,
                    others
                            + " containers were started without it and could not read objects in it; restart"
                            + " the agent when"
                            + " they have ended",
                    events);
        }
        events.info("storage", "prefetch lists are stored in the fast tier at " + fast.directory());
        return Optional.of(fast);
    }

    private static Optional<FastTier> without(FastTier fast, String reason, Events events) {
        events.fallback("storage", "the fast tier at " + fast.directory() + " is not used: " + reason);
        return Optional.empty();
    }
}
