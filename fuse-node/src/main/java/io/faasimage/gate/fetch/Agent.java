package io.faasimage.gate.fetch;

import io.faasimage.format.id.Digest;

/**
 * The node agent, which knows what is on its way already and shares one budget of requests among all that it fetches.
 * The gate fetches by itself only while there is no agent. Thread-safe.
 */
@FunctionalInterface
public interface Agent {
    /** Returns when the object is held, or cannot be had, or there is no agent. Blocks, bounded. */
    Reply fetch(Digest digest);

    /** No agent at all. */
    static Agent none() {
        return digest -> new Reply.Absent("there is none");
    }

    /** What came of it. */
    sealed interface Reply {
        /** The object is in the store. */
        record Brought() implements Reply {}

        /**
         * The agent could not get it.
         *
         * @param reason for people; names the attempts
         */
        record Failed(String reason) implements Reply {}

        /**
         * Nobody answered.
         *
         * @param reason for people
         */
        record Absent(String reason) implements Reply {}
    }
}
