package io.faasimage.refactor.closure;

import io.faasimage.refactor.closure.command.Programs;
import io.faasimage.refactor.closure.command.SystemFiles;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.jvm.JavaRuntime;
import io.faasimage.refactor.closure.node.NodeRuntime;
import io.faasimage.refactor.closure.perl.PerlRuntime;
import io.faasimage.refactor.closure.php.PhpRuntime;
import io.faasimage.refactor.closure.python.PythonRuntime;
import io.faasimage.refactor.closure.reads.ClosureFile;
import io.faasimage.refactor.closure.reads.ClosureLimits;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.ParsedContents;
import io.faasimage.refactor.closure.reads.Reads;
import io.faasimage.refactor.closure.ruby.RubyRuntime;
import io.faasimage.refactor.closure.runtime.LanguageRuntime;
import io.faasimage.refactor.image.ImageConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files that a start of an image will probably read, found from its files and configuration alone: the program that
 * the configuration names, its dynamic loader and shared libraries, interpreters of scripts, and the modules that the
 * code of the function imports. Nothing is run. Whatever an image contains, the analysis ends within its limits.
 *
 * @param files by rank, which is the expected order of reads
 * @param notes sentences about what could not be found out, for example that a limit was reached
 */
public record StaticClosure(List<ClosureFile> files, List<String> notes) {
    /** Copies the lists. */
    public StaticClosure {
        files = List.copyOf(files);
        notes = List.copyOf(notes);
    }

    /**
     * The closure of an image.
     *
     * @param parsed what parsers made of contents before, of any images; it changes only how long this takes
     * @throws IOException only when contents, which the image has, cannot be read
     */
    public static StaticClosure of(ImageFiles files, ImageConfig config, ClosureLimits limits, ParsedContents parsed)
            throws IOException {
        Reads reads = new Reads(files, limits, parsed);
        Programs programs = new Programs(reads, runtimes(reads));
        command(config).ifPresentOrElse(reads::run, () -> reads.note("the image's configuration has no command"));
        for (Optional<Invocation> next = reads.nextCommand(); next.isPresent(); next = reads.nextCommand()) {
            programs.follow(next.get());
            reads.finishDeferred();
        }
        new SystemFiles(reads).add();
        return new StaticClosure(reads.found(), reads.notes());
    }

    private static List<LanguageRuntime> runtimes(Reads reads) {
        return List.of(
                new PythonRuntime(reads),
                new NodeRuntime(reads),
                new RubyRuntime(reads),
                new PhpRuntime(reads),
                new PerlRuntime(reads),
                new JavaRuntime(reads));
    }

    private static Optional<Invocation> command(ImageConfig config) {
        List<String> words = new ArrayList<>(config.entrypoint());
        words.addAll(config.command());
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : config.env()) {
            int equals = variable.indexOf('=');
            if (equals > 0) {
                environment.put(variable.substring(0, equals), variable.substring(equals + 1));
            }
        }
        String directory = config.workingDirectory().isEmpty() ? "/" : config.workingDirectory();
        return words.isEmpty() ? Optional.empty() : Optional.of(new Invocation(words, environment, directory, "", 1));
    }
}
