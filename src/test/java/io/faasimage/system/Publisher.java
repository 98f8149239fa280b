package io.faasimage.system;

import io.faasimage.testing.Shell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Somebody who publishes plans beside images, with a key of their own.
 *
 * @param work directory of the key, and of temporary files
 * @param name of the key
 */
record Publisher(Cluster cluster, Path work, String name) {
    /** Makes the key. */
    static Publisher make(Cluster cluster, Path work, String name) throws IOException, InterruptedException {
        Publisher publisher = new Publisher(cluster, work, name);
        String key = publisher.key().toString();
        Shell.run("openssl", "genpkey", "-algorithm", "ed25519", "-out", key).ok();
        Shell.run("openssl", "pkey", "-in", key, "-pubout", "-out", publisher.publicKey())
                .ok();
        return publisher;
    }

    private Path key() {
        return work.resolve(name + ".pem");
    }

    /** The file of a node's {@code --plan-key}. */
    String publicKey() {
        return work.resolve(name + ".pub").toString();
    }

    /** Restarts the agent as one that gets plans from registries alone, if this publisher has signed them. */
    void trust() throws IOException, InterruptedException {
        cluster.agent.restart("--plans", "registry", "--plan-key", publicKey());
    }

    /** Publishes the plan of an image of one platform. */
    JsonNode publish(String image, String... more) throws IOException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of("publish", image, "--key", key().toString(), "--work", work.toString()));
        arguments.addAll(List.of(more));
        return cluster.faasimageJson(arguments.toArray(String[]::new)).get(0);
    }
}
