package io.faasimage.node.link.start;

import io.faasimage.format.id.ChainId;
import io.faasimage.format.id.Digest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** An event in the start of a container, or before it. Times are nanoseconds of the monotonic clock. */
public sealed interface StartEvent {
    /**
     * A plan came from the service, or from the image's registry.
     *
     * @param requested when it was requested
     * @param firstByte when the response began
     * @param present when plan and metadata image were on the disk
     * @param bytes of the response up to there
     * @param way by which it was found in a registry; empty when it is the service's
     */
    record PlanArrived(Digest plan, long requested, long firstByte, long present, long bytes, Optional<String> way)
            implements StartEvent {
        /** One that came from the service. */
        public PlanArrived(Digest plan, long requested, long firstByte, long present, long bytes) {
            this(plan, requested, firstByte, present, bytes, Optional.empty());
        }
    }

    /** The metadata image of a plan was mounted, or was mounted already. */
    record PlanMounted(Digest plan) implements StartEvent {}

    /** An image's layer is handled as an ordinary one. */
    record Unplanned(ChainId chain, String reason) implements StartEvent {}

    /** A client begins to unpack an unplanned layer. */
    record UnpackBegun(ChainId chain) implements StartEvent {}

    /** A client has unpacked an unplanned layer. */
    record UnpackEnded(ChainId chain) implements StartEvent {}

    /**
     * A container's root file system is requested; {@link MayStart} or {@link Refused} follows.
     *
     * @param key of its snapshot
     * @param layers chain IDs of its image's layers as far as they are known, top first
     * @param planned the uppermost of them that stands for a plan; empty when all are ordinary
     */
    record Requested(String key, List<ChainId> layers, Optional<ChainId> planned) implements StartEvent {
        public Requested {
            layers = List.copyOf(layers);
        }

        /** Chain ID of the top layer, if it is known. */
        public Optional<ChainId> top() {
            return layers.stream().findFirst();
        }
    }

    /** The root file system is there: containerd may start the container. */
    record MayStart(String key) implements StartEvent {}

    /** The root file system could not be made. */
    record Refused(String key, String reason) implements StartEvent {}

    /** The start of a container is traced; {@link TraceEnded} follows. */
    record TraceBegun(String key) implements StartEvent {}

    /** The trace of a container's start has ended; its first program and its readiness, when they were seen. */
    record TraceEnded(String key, OptionalLong firstProcess, OptionalLong ready) implements StartEvent {}

    /** containerd has made the container whose root file system has this key there, by its clock. */
    record Created(String namespace, String snapshot, Instant at) implements StartEvent {}

    /** containerd has started that container's first process. */
    record Executed(String namespace, String snapshot, Instant at) implements StartEvent {}
}
