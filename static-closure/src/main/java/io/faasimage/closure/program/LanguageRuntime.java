package io.faasimage.closure.program;

import java.io.IOException;

/**
 * A language's interpreter or virtual machine: the seam for one more language. It adds to the reads those of a start of
 * it, beyond its own file and shared libraries: its start-up files, the program and all modules of it, as far as they
 * are in the text. Sources are of unknown origin: whatever they contain, nothing is thrown but an {@link IOException}
 * of the image's contents, and nothing runs longer than the limits of the reads allow. It has no state.
 */
public interface LanguageRuntime {
    /** Whether a program file is this one, by its name without directories. */
    boolean runs(String name);

    /** Adds the reads of a start whose program is this one. */
    void start(ProgramStart start) throws IOException;
}
