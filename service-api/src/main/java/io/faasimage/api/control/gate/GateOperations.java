package io.faasimage.api.control.gate;

import io.faasimage.api.control.Empty;
import io.faasimage.api.control.Operation;

/** The operations of {@code gate.sock}. */
public final class GateOperations {
    /** The gate's status. */
    public static final Operation<Empty, Empty, GateStatus> STATUS =
            new Operation<>("status", Empty.CODEC, Empty.CODEC, new GateStatusCodec());

    /** Keeps the agent's guard of packs, so that reads that wait outlive the agent. */
    public static final Operation<ProcessDescriptor, Empty, Empty> KEEP =
            new Operation<>("keep", ProcessDescriptor.CODEC, Empty.CODEC, Empty.saying("kept"));

    /** Leaves its paths to another gate, and serves its users until the last of them has ended. */
    public static final Operation<Empty, Empty, Empty> RETIRE =
            new Operation<>("retire", Empty.CODEC, Empty.CODEC, Empty.saying("retiring"));

    /** Unmounts and ends. */
    public static final Operation<Empty, Empty, Empty> STOP =
            new Operation<>("stop", Empty.CODEC, Empty.CODEC, Empty.saying("stopping"));

    private GateOperations() {}
}
