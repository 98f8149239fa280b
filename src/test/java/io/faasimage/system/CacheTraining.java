package io.faasimage.system;

import io.faasimage.api.client.ServiceClient;
import io.faasimage.api.control.node.NodeOperations;
import io.faasimage.api.control.node.PullRequest;
import io.faasimage.api.function.FunctionRequest;
import io.faasimage.testing.AheadOfTimeCaches;
import java.io.IOException;
import java.util.List;

/**
 * The run that writes the ahead-of-time caches of a cluster's programs. It registers, traces, plans, pulls and starts,
 * as most tests do, so that the caches have the classes of these operations.
 */
final class CacheTraining {
    private CacheTraining() {}

    /** Writes the caches, unless this build has them. */
    static void make() throws IOException, InterruptedException {
        AheadOfTimeCaches.make(List.of("registry-service", "node-manager", "fuse-node", "cli"), () -> {
            try (Cluster cluster = Cluster.start(ClusterOptions.training())) {
                train(cluster);
            }
        });
    }

    private static void train(Cluster cluster) throws IOException, InterruptedException {
        String image = new BusyboxImages(cluster, cluster.dir.resolve("images")).image("training");
        try (ServiceClient client = cluster.client()) {
            client.register(new FunctionRequest("training", image, null, null));
            // One command alone: each that ends writes the cache anew.
            cluster.faasimage("trace", image, "--limit", "30").ok();
            cluster.containers.ctr("image", "rm", "--sync", image).ok();
            cluster.agent.control().call(NodeOperations.PULL, new PullRequest(image, null, true));
            cluster.containers.runWaiting(image, "training");
            client.images();
            client.functions();
        }
    }
}
