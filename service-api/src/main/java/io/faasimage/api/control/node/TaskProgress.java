package io.faasimage.api.control.node;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a pull or a trace.
 *
 * @param phase of the task, a word
 * @param image whose name is resolved
 * @param chain chain ID of the image whose plan is requested
 * @param step of a layer: {@code present}, {@code download} or {@code unpack}
 * @param done layers, objects or seconds so far
 * @param total of these
 * @param bytes of the layer, or received of the objects
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TaskProgress(
        @Nullable String phase,
        @Nullable String image,
        @Nullable String chain,
        @Nullable String step,
        @Nullable Long done,
        @Nullable Long total,
        @Nullable Long bytes) {
    /** The image's documents are requested from its OCI registry. */
    public static TaskProgress resolve(String image) {
        return new TaskProgress("resolve", image, null, null, null, null, null);
    }

    /** A plan is requested. */
    public static TaskProgress plan(String chain) {
        return new TaskProgress("plan", null, chain, null, null, null, null);
    }

    /** A layer of containerd's has come to {@code step}. */
    public static TaskProgress layer(String step, int done, int total, long bytes) {
        return new TaskProgress("layers", null, null, step, (long) done, (long) total, bytes);
    }

    /** The start-up set is coming. */
    public static TaskProgress objects(int done, int total, long bytes) {
        return new TaskProgress("objects", null, null, null, (long) done, (long) total, bytes);
    }

    /** A start is traced, seconds of its limit. */
    public static TaskProgress trace(long seconds, long limit) {
        return new TaskProgress("trace", null, null, null, seconds, limit, null);
    }

    /** The trace is sent to the service. */
    public static TaskProgress deliver() {
        return new TaskProgress("deliver", null, null, null, null, null, null);
    }
}
