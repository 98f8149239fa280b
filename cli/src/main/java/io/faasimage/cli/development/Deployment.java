package io.faasimage.cli.development;

import java.io.IOException;
import java.util.Optional;

/**
 * The place where the function runs. Closing it ends what it started. For one thread, except {@link #close}.
 */
interface Deployment extends AutoCloseable {
    /**
     * Replaces the running version, if there is one, and returns when the new one has answered.
     *
     * @param image reference that was built
     * @param clock whose steps it ends
     * @throws IOException when it does not answer; the next version may
     */
    Deployed deploy(String image, CycleClock clock) throws IOException;

    @Override
    void close();

    /**
     * A version that answers.
     *
     * @param address of the function
     * @param pull of the image by the node; empty where the platform pulls
     */
    record Deployed(String address, Optional<Pulled> pull) {}

    /**
     * What the node did to have the image.
     *
     * @param way as in {@link io.faasimage.api.control.node.PullOutcome}
     * @param bytes that it fetched
     */
    record Pulled(String way, long bytes) {}
}
