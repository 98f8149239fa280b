package io.faasimage.gate.fetch;

/** What a request for an object came to. */
public sealed interface FetchOutcome {
    /** The object is in the store. */
    record Held() implements FetchOutcome {}

    /**
     * It could not be got.
     *
     * @param reason for people; names the attempts
     */
    record Failed(String reason) implements FetchOutcome {}
}
