package io.faasimage.registry.job;

import io.faasimage.format.id.Digest;
import io.faasimage.registry.blob.BlobDirectory;
import io.faasimage.registry.blob.Blobs;
import java.io.IOException;
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
 * them. Runs before requests are taken and jobs are run, because both name files before they add their rows.
 */
@Component
class Orphans implements SmartInitializingSingleton {
    private static final Logger LOG = LoggerFactory.getLogger(Orphans.class);

    private final JdbcClient jdbc;
    private final Blobs blobs;

    Orphans(JdbcClient jdbc, Blobs blobs) {
        this.jdbc = jdbc;
        this.blobs = blobs;
    }

    @Override
    public void afterSingletonsInstantiated() {
        sweep("packs", blobs.packs(), texts("SELECT DISTINCT pack FROM objects"));
        sweep("metadata images", blobs.metadata(), digests("SELECT digest FROM metadata_images"));
        sweep("plans", blobs.plans(), hex(texts("SELECT digest FROM plans")));
        sweep("traces", blobs.traces(), hex(texts("SELECT digest FROM traces")));
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

    private static void sweep(String what, BlobDirectory directory, List<String> named) {
        try {
            Set<String> kept = new HashSet<>(named);
            int removed = 0;
            for (String name : directory.names()) {
                if (!kept.contains(name)) {
                    directory.delete(name);
                    removed++;
                }
            }
            if (removed > 0) {
                LOG.info("{} {} removed that nothing refers to", removed, what);
            }
        } catch (IOException e) {
            LOG.warn("could not remove {} that nothing refers to: {}", what, e.toString());
        }
    }
}
