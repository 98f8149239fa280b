package io.faasimage.closure.program;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Invocation;
import io.faasimage.closure.read.Reads;

/**
 * The start of a program file.
 *
 * @param command that starts it; named by the program
 * @param libraries of the process; the program's own are known
 */
public record ProgramStart(Reads reads, ImageEntry.File program, Invocation command, SharedLibraries libraries) {
    /** The image. */
    public ImageFiles files() {
        return reads.files();
    }

    /** The probability of the start. */
    public double confidence() {
        return command.confidence();
    }

    /** Adds the file at a path, which the program itself reads; {@code factor} is the probability that it does. */
    public void add(String path, double factor) {
        reads.add(path, program.name(), confidence() * factor);
    }
}
