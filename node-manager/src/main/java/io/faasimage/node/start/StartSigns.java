package io.faasimage.node.start;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the parts of the node tell of starts as they go on. Called while a start waits: every call returns at once, and
 * none throws. Times are nanoseconds of the monotonic clock. Thread-safe.
 */
public interface StartSigns {
    /** Takes no notice. */
    StartSigns NONE = new StartSigns() {};

    /**
     * A plan came from the registry.
     *
     * @param asked when it was asked for
     * @param firstByte when the answer began
     * @param here when plan and metadata image were on the disk
     * @param bytes of the answer up to there
     */
    record Arrival(long asked, long firstByte, long here, long bytes) {}

    /** A plan came from the registry. */
    default void arrived(Digest plan, Arrival arrival) {}

    /** The metadata image of a plan was mounted, or was mounted already. */
    default void mounted(Digest plan) {}

    /** An image's layer is handled as an ordinary one. */
    default void ordinary(ChainId chain, String reason) {}

    /** A client begins to unpack an ordinary layer. */
    default void unpacks(ChainId chain) {}

    /** A client has unpacked an ordinary layer. */
    default void unpacked(ChainId chain) {}

    /** A container's root file system is asked for. */
    default Preparation prepares(Container container) {
        return Preparation.NONE;
    }

    /** The start of a container is traced; {@link #traced} follows. */
    default void tracing(String key) {}

    /** The trace of a container's start has ended; its first program and its readiness, when they were seen. */
    default void traced(String key, OptionalLong firstProcess, OptionalLong ready) {}

    /** Whether a container of this containerd namespace is starting, so that its task is of interest. */
    default boolean awaitsProcess(String namespace) {
        return false;
    }

    /** containerd has made the container whose root file system has this key there, by its clock. */
    default void created(String namespace, String snapshot, Instant at) {}

    /** containerd has started that container's first process, which has the number {@code pid} on this machine. */
    default void executed(String namespace, String snapshot, Instant at, int pid) {}

    /**
     * A container.
     *
     * @param key of its snapshot
     * @param layers chain IDs of its image's layers as far as they are known, top first
     * @param planned the uppermost of them that stands for a plan; empty when all are ordinary
     */
    record Container(String key, List<ChainId> layers, Optional<ChainId> planned) {
        /** Copies the list. */
        public Container {
            layers = List.copyOf(layers);
        }
    }

    /** A root file system that is being made. Exactly one of the two follows. */
    interface Preparation {
        /** Takes no notice. */
        Preparation NONE = new Preparation() {};

        /** It is there: containerd may start the container. */
        default void mayStart() {}

        /** It could not be made. */
        default void failed(String reason) {}
    }
}
