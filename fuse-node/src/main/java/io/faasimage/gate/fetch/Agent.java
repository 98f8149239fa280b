package io.faasimage.gate.fetch;

import io.faasimage.format.id.Digest;

/**
 * The node agent, which knows the running pulls and shares one budget of requests among all its fetches. The gate
 * fetches by itself only while there is no agent. Thread-safe.
 */
@FunctionalInterface
public interface Agent {
    /** Returns when the object is present, or cannot be fetched, or there is no agent. Blocks, bounded. */
    Reply fetch(Digest digest);

    /** No agent at all. */
    static Agent none() {
        return digest -> new Reply.Absent("there is none");
    }

    /** The outcome of a fetch. */
    sealed interface Reply {
        /** The object is in the store. */
        record Brought() implements Reply {}

        /**
         * The agent could not fetch it.
         *
         * @param reason for people; names the attempts
         */
        record Failed(String reason) implements Reply {}

        /**
         * The agent did not answer.
         *
         * @param reason for people
         */
        record Absent(String reason) implements Reply {}
    }
}
