package io.faasimage.api.control.node;

import io.faasimage.api.control.Empty;
import io.faasimage.api.control.Operation;
import io.faasimage.api.control.codec.ListCodec;
import io.faasimage.api.control.codec.ObjectCodec;
import io.faasimage.api.control.codec.RecordCodec;
import java.util.List;

/** The operations of {@code node.sock}. */
public final class NodeOperations {
    private static final ObjectCodec<TaskProgress> PROGRESS = new RecordCodec<>(TaskProgress.class);

    /** The node agent's status. */
    public static final Operation<Empty, Empty, NodeStatus> STATUS =
            new Operation<>("status", Empty.CODEC, Empty.CODEC, new RecordCodec<>(NodeStatus.class));

    /** The plans alone. */
    public static final Operation<Empty, Empty, List<PlanStatus>> PLANS =
            new Operation<>("plans", Empty.CODEC, Empty.CODEC, new ListCodec<>(new RecordCodec<>(PlanStatus.class)));

    /** Pulls an image into containerd. */
    public static final Operation<PullRequest, TaskProgress, PullOutcome> PULL = new Operation<>(
            "pull", new RecordCodec<>(PullRequest.class), PROGRESS, new RecordCodec<>(PullOutcome.class));

    /** Fetches the layers of an image into containerd's content store. */
    public static final Operation<ContentRequest, TaskProgress, ContentOutcome> CONTENT = new Operation<>(
            "content", new RecordCodec<>(ContentRequest.class), PROGRESS, new RecordCodec<>(ContentOutcome.class));

    /** Starts an image once and traces the files that the start reads. */
    public static final Operation<ImageTraceRequest, TaskProgress, ImageTraceOutcome> TRACE = new Operation<>(
            "trace", new RecordCodec<>(ImageTraceRequest.class), PROGRESS, new RecordCodec<>(ImageTraceOutcome.class));

    /** Fetches the prefetch list of an image, or the base of a runtime. */
    public static final Operation<WarmRequest, Empty, WarmOutcome> WARM = new Operation<>(
            "warm", new RecordCodec<>(WarmRequest.class), Empty.CODEC, new RecordCodec<>(WarmOutcome.class));

    /** Drops everything that nothing needs. */
    public static final Operation<PruneRequest, Empty, PruneOutcome> PRUNE = new Operation<>(
            "prune", new RecordCodec<>(PruneRequest.class), Empty.CODEC, new RecordCodec<>(PruneOutcome.class));

    /** Ends the agent. */
    public static final Operation<StopRequest, Empty, Empty> STOP =
            new Operation<>("stop", new RecordCodec<>(StopRequest.class), Empty.CODEC, Empty.saying("stopping"));

    private NodeOperations() {}
}
