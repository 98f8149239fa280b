package io.faasimage.registry.child;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.faasimage.refactor.fault.RefactorException.Kind;
import io.faasimage.refactor.predict.Profile;
import java.util.Optional;

/** A message of the service: an order, or the answer to a {@link ChildRequest}. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(ChildAnswer.Ordered.class),
    @JsonSubTypes.Type(ChildAnswer.Bits.class),
    @JsonSubTypes.Type(ChildAnswer.Flag.class),
    @JsonSubTypes.Type(ChildAnswer.Value.class),
    @JsonSubTypes.Type(ChildAnswer.Bytes.class),
    @JsonSubTypes.Type(ChildAnswer.Opened.class),
    @JsonSubTypes.Type(ChildAnswer.ProfileFound.class),
    @JsonSubTypes.Type(ChildAnswer.Refused.class)
})
sealed interface ChildAnswer {
    /** The next image; comes when the child has ended with the one before. */
    record Ordered(ChildOrder order) implements ChildAnswer {}

    /** A bit for each requested object, as {@link java.util.BitSet#toByteArray} has them. */
    @SuppressWarnings("ArrayRecordComponent")
    record Bits(byte[] bits) implements ChildAnswer {}

    /** Yes or no. */
    record Flag(boolean value) implements ChildAnswer {}

    /** A number of bytes. */
    record Value(long value) implements ChildAnswer {}

    /** Some bytes of an object or index. */
    @SuppressWarnings("ArrayRecordComponent")
    record Bytes(byte[] bytes) implements ChildAnswer {}

    /**
     * The beginning of an opened object.
     *
     * @param bytes all of it, when it is small
     * @param stream by which the rest is read; empty when there is none, and nothing is to be closed
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Opened(byte[] bytes, Optional<Long> stream) implements ChildAnswer {}

    /** A profile, if there is one. */
    record ProfileFound(Optional<Profile> profile) implements ChildAnswer {}

    /** The request failed; the engine decides about the effect on the image. */
    record Refused(Kind kind, String message) implements ChildAnswer {}
}
