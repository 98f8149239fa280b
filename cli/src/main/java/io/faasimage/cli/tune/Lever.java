package io.faasimage.cli.tune;

import java.io.IOException;

/**
 * One way to shorten containers' starts on this node, at a cost. Turning it on or off twice changes nothing the second
 * time; a process that is killed meanwhile leaves a lever that is on or off, and that the next call may turn either
 * way.
 */
public interface Lever {
    /** Its name on the command line. */
    String name();

    /** What it shortens. */
    String effect();

    /** What it costs, or puts at risk. */
    String risk();

    /** Whether it is on, off, or not possible here. */
    LeverState state() throws IOException;

    /**
     * Turns it on.
     *
     * @param journal where what it changes is recorded before it is changed
     * @throws IOException when it is not possible here, or fails; then it is off
     */
    LeverChange enable(TuneJournal journal) throws IOException;

    /**
     * Undoes what {@link #enable} did, and nothing else.
     *
     * @throws IOException when it was turned on by other means, or what {@link #enable} wrote was changed since
     */
    LeverChange disable(TuneJournal journal) throws IOException;
}
