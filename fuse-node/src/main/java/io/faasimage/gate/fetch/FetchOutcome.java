package io.faasimage.gate.fetch;

/** The outcome of a request for an object. */
public sealed interface FetchOutcome {
    /** The object is in the store. */
    record Present() implements FetchOutcome {}

    /**
     * It could not be fetched.
     *
     * @param reason for people; names the attempts
     */
    record Failed(String reason) implements FetchOutcome {}
}
