package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.plans.lazy.LazyImages;
import io.faasimage.node.plans.lazy.PullProof;
import io.faasimage.node.plans.lazy.WantedLayer;
import io.faasimage.node.plans.rootfs.RootLayers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/** Plans that a test sets. */
class FakePlans implements LazyImages {
    final Set<ChainId> planned = ConcurrentHashMap.newKeySet();
    final List<ChainId> claimed = new CopyOnWriteArrayList<>();
    final List<ChainId> started = new CopyOnWriteArrayList<>();
    final List<ChainId> released = new CopyOnWriteArrayList<>();
    final List<ChainId> readWhole = new CopyOnWriteArrayList<>();
    final Set<ChainId> broken = ConcurrentHashMap.newKeySet();

    static ChainId chain(String name) {
        return new ChainId(Digest.of(name.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public boolean claim(WantedLayer layer) {
        boolean isPlanned = planned.contains(layer.chain());
        if (isPlanned && layer.purpose() == PullProof.Purpose.START) {
            claimed.add(layer.chain());
        }
        return isPlanned;
    }

    @Override
    public void reading(ChainId chain) {
        readWhole.add(chain);
    }

    @Override
    public RootLayers open(ChainId chain, LazyImages.Purpose purpose) throws IOException {
        if (purpose.start()) {
            started.add(chain);
        }
        if (broken.contains(chain)) {
            throw new IOException("no metadata image of " + chain);
        }
        return purpose.nested() ? new RootLayers("/tmp", false) : new RootLayers("/usr", true);
    }

    @Override
    public void release(ChainId chain, BooleanSupplier unused) {
        if (unused.getAsBoolean()) {
            released.add(chain);
        }
    }
}
