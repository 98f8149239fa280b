package io.faasimage.node.lookup;

import io.faasimage.node.span.StartSpans;
import io.faasimage.node.start.StartEvents;

/**
 * Receivers of what happens in starts.
 *
 * @param events for the records of starts
 * @param spans of the starts
 */
public record WatchedStarts(StartEvents events, StartSpans spans) {
    /** Starts that nobody watches. */
    public static final WatchedStarts NONE = new WatchedStarts(StartEvents.NONE, StartSpans.NONE);
}
