package io.faasimage.registry.images.child;

import io.faasimage.format.id.Digest;
import io.faasimage.oci.HostRules;
import io.faasimage.oci.RegistryLogins.Login;
import io.faasimage.refactor.image.ImageBudget;
import io.faasimage.refactor.image.ResolvedImage;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The order of a child, its first message: all that it gets from the service, apart from files in its work directory
 * and answers.
 *
 * @param image as the service has resolved and verified it
 * @param login at the image's registry
 * @param rules which hosts the child may connect to
 * @param budget the budget of the image
 * @param attempts how often a request to the registry is tried
 * @param work directory of the job
 * @param forecast how its first start is predicted; empty when a trace is in the work directory
 * @param properties system properties of the service that concern connections
 */
record ChildOrder(
        ResolvedImage image,
        Optional<Login> login,
        HostRules rules,
        ImageBudget budget,
        int attempts,
        Path work,
        Optional<Forecast> forecast,
        Map<String, String> properties) {
    /**
     * A prediction.
     *
     * @param earlier image whose trace in the work directory is inherited; for people
     * @param others whether profiles and the static closure are used
     */
    record Forecast(Optional<String> earlier, boolean others) {}

    /** The trace of the image, or of an earlier one. */
    static Path trace(Path work) {
        return work.resolve("trace");
    }

    /** The metadata image of an earlier image, if there is one. */
    static Path earlier(Path work) {
        return work.resolve("earlier");
    }

    /** The index of a layer, if it is known. */
    static Path index(Path work, Digest layer) {
        return work.resolve("index-" + layer.hex());
    }

    @Override
    public String toString() {
        return "order for " + image.reference();
    }
}
