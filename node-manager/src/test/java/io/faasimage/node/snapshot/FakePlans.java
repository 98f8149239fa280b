package io.faasimage.node.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import io.faasimage.node.lazy.LazyImages;
import io.faasimage.node.lazy.WantedLayer;
import io.faasimage.node.rootfs.RootLayers;
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
    final List<ChainId> released = new CopyOnWriteArrayList<>();
    final List<ChainId> readWhole = new CopyOnWriteArrayList<>();
    final Set<ChainId> broken = ConcurrentHashMap.newKeySet();

    static ChainId chain(String name) {
        return new ChainId(Digest.of(name.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public boolean isPlanned(WantedLayer layer) {
        return planned.contains(layer.chain());
    }

    @Override
    public void claimed(ChainId chain) {
        claimed.add(chain);
    }

    @Override
    public void readingAll(ChainId chain) {
        readWhole.add(chain);
    }

    @Override
    public RootLayers open(ChainId chain, boolean nested) throws IOException {
        if (broken.contains(chain)) {
            throw new IOException("no metadata image of " + chain);
        }
        return nested ? new RootLayers("/tmp", false) : new RootLayers("/usr", true);
    }

    @Override
    public void released(ChainId chain, BooleanSupplier unused) {
        if (unused.getAsBoolean()) {
            released.add(chain);
        }
    }
}
