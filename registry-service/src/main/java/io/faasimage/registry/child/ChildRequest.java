package io.faasimage.registry.child;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.refactor.ProgressListener.Phase;
import io.faasimage.refactor.fault.RefactorException.Kind;
import java.util.Optional;

/** A message of a child. All but progress and its end are answered. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(ChildRequest.Progress.class),
    @JsonSubTypes.Type(ChildRequest.Held.class),
    @JsonSubTypes.Type(ChildRequest.HeldMetadata.class),
    @JsonSubTypes.Type(ChildRequest.Copy.class),
    @JsonSubTypes.Type(ChildRequest.Verify.class),
    @JsonSubTypes.Type(ChildRequest.Index.class),
    @JsonSubTypes.Type(ChildRequest.Open.class),
    @JsonSubTypes.Type(ChildRequest.Read.class),
    @JsonSubTypes.Type(ChildRequest.Skip.class),
    @JsonSubTypes.Type(ChildRequest.Close.class),
    @JsonSubTypes.Type(ChildRequest.ProfileOf.class),
    @JsonSubTypes.Type(ChildRequest.Ended.class),
    @JsonSubTypes.Type(ChildRequest.Failed.class)
})
sealed interface ChildRequest {
    /** The progress of the child; no answer. */
    record Progress(Phase phase, long done, long total) implements ChildRequest {}

    /**
     * The question which of these objects are stored; answer {@link ChildAnswer.Bits}, in the same order. An image has
     * tens of thousands, so they are not sent as text.
     *
     * @param digests 32 bytes each
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Held(byte[] digests) implements ChildRequest {}

    /** Whether a metadata image is stored; answer {@link ChildAnswer.Flag}. */
    record HeldMetadata(Digest digest) implements ChildRequest {}

    /** The content of a stored object; answers {@link ChildAnswer.Bytes}, then {@link ChildAnswer.Flag}. */
    record Copy(Digest digest) implements ChildRequest {}

    /**
     * Reads a stored object and compares its digest; answers {@link ChildAnswer.Bytes} without any, now and then, and
     * {@link ChildAnswer.Flag}, true.
     */
    record Verify(Digest digest) implements ChildRequest {}

    /** The index of a layer; answers {@link ChildAnswer.Bytes}, then a {@link ChildAnswer.Flag}: false without one. */
    record Index(Digest layer) implements ChildRequest {}

    /** A stored object to look into; answer {@link ChildAnswer.Opened}. */
    record Open(Digest digest) implements ChildRequest {}

    /** The next bytes of an opened object; answer {@link ChildAnswer.Bytes}, none at its end. */
    record Read(long stream, int most) implements ChildRequest {}

    /** Leaves bytes of an opened object out; answer {@link ChildAnswer.Value}, which may be less. */
    record Skip(long stream, long bytes) implements ChildRequest {}

    /** An opened object is not read any more; answer {@link ChildAnswer.Flag}. */
    record Close(long stream) implements ChildRequest {}

    /** The profile of a library; answer {@link ChildAnswer.ProfileFound}. */
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
