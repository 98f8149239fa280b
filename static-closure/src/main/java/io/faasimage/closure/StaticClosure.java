package io.faasimage.closure;

import io.faasimage.closure.language.JavaRuntime;
import io.faasimage.closure.language.NodeRuntime;
import io.faasimage.closure.language.PhpRuntime;
import io.faasimage.closure.language.PythonRuntime;
import io.faasimage.closure.language.RubyRuntime;
import io.faasimage.closure.program.LanguageRuntime;
import io.faasimage.closure.program.Programs;
import io.faasimage.closure.program.SystemFiles;
import io.faasimage.closure.read.ClosureFile;
import io.faasimage.closure.read.ClosureLimits;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Invocation;
import io.faasimage.closure.read.Reads;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * The files that a start of an image will probably read, found from its files and configuration alone: the program that
 * the configuration names, its dynamic loader and shared libraries, interpreters of scripts, and the modules that the
 * code of the function imports. Nothing is run. Whatever an image contains, the analysis ends within its limits.
 *
 * @param files by rank, which is the expected order of reads
 * @param notes sentences about gaps in the analysis, for example that a limit was reached
 */
public record StaticClosure(List<ClosureFile> files, List<String> notes) {
    private static final List<LanguageRuntime> RUNTIMES =
            List.of(new PythonRuntime(), new NodeRuntime(), new RubyRuntime(), new PhpRuntime(), new JavaRuntime());

    public StaticClosure {
        files = List.copyOf(files);
        notes = List.copyOf(notes);
    }

    /**
     * The closure of an image.
     *
     * @param command of the image's configuration; absent when it has none
     * @throws IOException only when contents, which the image has, cannot be read
     */
    public static StaticClosure of(ImageFiles files, Optional<Invocation> command, ClosureLimits limits)
            throws IOException {
        Reads reads = new Reads(files, limits);
        Programs programs = new Programs(reads, RUNTIMES);
        command.ifPresentOrElse(reads::run, () -> reads.note("the image's configuration has no command"));
        for (Optional<Invocation> next = reads.nextCommand(); next.isPresent(); next = reads.nextCommand()) {
            programs.follow(next.get());
            reads.finishDeferred();
        }
        new SystemFiles(reads).add();
        return new StaticClosure(reads.found(), reads.notes());
    }
}
