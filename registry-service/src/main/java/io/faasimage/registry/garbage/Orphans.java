package io.faasimage.registry.garbage;

import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobKind;
import io.faasimage.registry.blob.BlobStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

/**
 * The removal of files that no row names: a service that is killed between renaming its files and the transaction
 * leaves them. Where several services write, that is left to the search for garbage. Runs before requests are taken and
 * jobs are run, because both name files before they add their rows.
 */
@Component
class Orphans implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final GarbageTable table;
    private final BlobStore blobs;

    Orphans(GarbageTable table, BlobStore blobs) {
        this.table = table;
        this.blobs = blobs;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (blobs.isShared()) {
            return;
        }
        sweep(BlobKind.PACK, table.packs());
        sweep(BlobKind.METADATA, table.metadataWithout(_ -> false));
        sweep(BlobKind.PLAN, table.plans());
        sweep(BlobKind.TRACE, table.traces());
    }

    private void sweep(BlobKind kind, Set<String> named) {
        try {
            List<Blob> left = new ArrayList<>();
            blobs.names(kind, name -> {
                if (!named.contains(name)) {
                    left.add(new Blob(kind, name));
                }
            });
            for (Blob blob : left) {
                blobs.delete(blob);
            }
            if (!left.isEmpty()) {
                LOG.info("removed {} of {} that no row refers to", left.size(), kind.folder());
            }
        } catch (IOException e) {
            LOG.warn("could not remove {} that no row refers to: {}", kind.folder(), e.toString());
        }
    }
}
