package io.faasimage.refactor.closure.runtime;

import io.faasimage.refactor.closure.elf.SharedLibraries;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.Invocation;
import java.io.IOException;

/**
 * A language's interpreter or virtual machine. It adds to the reads what a start of it reads beside its own file and
 * shared libraries: its start-up files, the program and all modules of it, as far as the text says.
 * Sources are of unknown origin: whatever they contain, nothing is thrown but an {@link IOException} of the image's
 * contents, and nothing runs longer than the limits of the reads allow.
 */
public interface LanguageRuntime {
    /** Whether a program file is this one, by its name without directories. */
    boolean runs(String name);

    /**
     * Adds what a start of {@code program} by this command reads.
     *
     * @param libraries the process, whose own libraries are known
     */
    void start(ImageEntry.File program, Invocation command, SharedLibraries libraries) throws IOException;
}
