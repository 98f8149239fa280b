package io.faasimage.node.link.event;

import java.time.Instant;

/**
 * An event.
 *
 * @param at when
 * @param severity how much it matters
 * @param topic the part of the node it concerns: {@code plan}, {@code pull}, {@code gate}, {@code image}, ...
 * @param text one sentence: the event, its reason, and the fall-back
 */
public record Event(Instant at, Severity severity, String topic, String text) {
    /** How much an event matters. */
    public enum Severity {
        /** Normal course. */
        INFO,
        /** A fall-back: slower or less, but right. */
        FALLBACK,
        /** Something failed. */
        ERROR
    }

    /** Joins lines, so that an event stays one log line. */
    public Event {
        text = text.replace('\n', ' ').replace('\r', ' ');
    }
}
