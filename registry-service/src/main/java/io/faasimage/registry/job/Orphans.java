package io.faasimage.registry.job;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.blob.Blob;
import io.faasimage.registry.blob.BlobKind;
import io.faasimage.registry.blob.BlobStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Removes the files that no row names: a service that is killed between the naming of its files and the transaction leaves
 * them. Where several services write, that is left to the search for garbage. Runs before requests are taken and jobs are run, because both name files before they add their rows.
 */
@Component
class Orphans implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final JdbcClient jdbc;
    private final BlobStore blobs;

    Orphans(JdbcClient jdbc, BlobStore blobs) {
        this.jdbc = jdbc;
        this.blobs = blobs;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (blobs.isShared()) {
            return;
        }
        sweep(BlobKind.PACK, texts("SELECT DISTINCT pack FROM objects"));
        sweep(BlobKind.METADATA, digests("SELECT digest FROM metadata_images"));
        sweep(BlobKind.PLAN, hex(texts("SELECT digest FROM plans")));
        sweep(BlobKind.TRACE, hex(texts("SELECT digest FROM traces")));
    }

    private List<String> texts(String query) {
        return jdbc.sql(query).query((row, number) -> row.getString(1)).list();
    }

    private List<String> digests(String query) {
        return jdbc.sql(query)
                .query((row, number) -> Digest.ofBytes(row.getBytes(1)).hex())
                .list();
    }

    private static List<String> hex(List<String> digests) {
        return digests.stream().map(digest -> Digest.parse(digest).hex()).toList();
    }

    private void sweep(BlobKind kind, List<String> named) {
        try {
            Set<String> kept = new HashSet<>(named);
            List<Blob> left = new ArrayList<>();
            blobs.names(kind, name -> {
                if (!kept.contains(name)) {
                    left.add(new Blob(kind, name));
                }
            });
            for (Blob blob : left) {
                blobs.delete(blob);
            }
            if (!left.isEmpty()) {
                LOG.info("{} of {} removed that nothing refers to", left.size(), kind.folder());
            }
        } catch (IOException e) {
            LOG.warn("could not remove {} that nothing refers to: {}", kind.folder(), e.toString());
        }
    }
}
