package io.faasimage.registry.images.child;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.util.Optional;

/** A message of a child. Each but progress and the last one gets one {@link ChildAnswer}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(ChildRequest.Progress.class),
    @JsonSubTypes.Type(ChildRequest.Held.class),
    @JsonSubTypes.Type(ChildRequest.Frames.class),
    @JsonSubTypes.Type(ChildRequest.HeldMetadata.class),
    @JsonSubTypes.Type(ChildRequest.Read.class),
    @JsonSubTypes.Type(ChildRequest.Verify.class),
    @JsonSubTypes.Type(ChildRequest.ProfileOf.class),
    @JsonSubTypes.Type(ChildRequest.Ended.class),
    @JsonSubTypes.Type(ChildRequest.Failed.class)
})
sealed interface ChildRequest {
    /** The progress of the child; no answer. */
    record Progress(Phase phase, long done, long total) implements ChildRequest {}

    /**
     * The question which of these objects are stored; the answer has a bit for each, as {@link
     * java.util.BitSet#toByteArray} has them. An image has tens of thousands, so they are not sent as text.
     *
     * @param digests 32 bytes each
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Held(byte[] digests) implements ChildRequest {}

    /**
     * The question for the frames of objects; the answer is about as many of the first ones as fit: their number, and
     * for each of them that is stored its index in the question, its size and its frames.
     *
     * @param digests 32 bytes each
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Frames(byte[] digests) implements ChildRequest {}

    /** Whether a metadata image is stored; the answer has a byte if it is. */
    record HeldMetadata(Digest digest) implements ChildRequest {}

    /** Bytes of a stored object; the answer has fewer than {@link ServiceLink#READ_BYTES} only at its end. */
    record Read(Digest digest, long offset) implements ChildRequest {}

    /** An object whose bytes have another digest: the service compares it, and refuses if that is so. */
    record Verify(Digest digest) implements ChildRequest {}

    /** The profile of a library. */
    record ProfileOf(Library library) implements ChildRequest {}

    /**
     * The last message of a child that succeeded.
     *
     * @param made false when too little is known for a plan; else {@link HandedResult} is in the work directory
     */
    record Ended(boolean made) implements ChildRequest {}

    /**
     * The last message of a child that failed.
     *
     * @param kind empty for a failure to read or write
     */
    record Failed(Optional<Kind> kind, String message) implements ChildRequest {}
}
