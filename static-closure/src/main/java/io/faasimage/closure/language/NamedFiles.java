package io.faasimage.closure.language;

import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Invocation;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files that the code of a function names in its string constants: data beside the code, in the working directory,
 * under an absolute path, or in a directory of data; and programs that it starts.
 */
final class NamedFiles {
    private static final double DATA = 0.6;
    private static final double PROGRAM = 0.7;
    private static final int MAX_NAME = 200;
    /** Documents of packages, which tools read and functions do not. */
    private static final Set<String> OF_PACKAGES = Set.of("requirements.txt", "package-lock.json");

    private final ProgramStart start;
    private final ImageFiles files;
    private final Invocation command;
    private final Set<String> dataDirectories = new LinkedHashSet<>();
    private final Map<String, Set<String>> names = new HashMap<>();

    NamedFiles(ProgramStart start) {
        this.start = start;
        this.files = start.files();
        this.command = start.command();
    }

    /** Looks in this directory, too, for files that are named without one. */
    void addDataDirectory(String directory) {
        dataDirectories.add(directory);
    }

    /**
     * Adds the files that one source names.
     *
     * @param startsPrograms whether it starts programs, so that single words may be names of such
     */
    void add(ImageEntry.File source, Collection<String> constants, boolean startsPrograms, double confidence) {
        for (String text : constants) {
            if (text.length() > 1 && text.length() <= MAX_NAME && !text.contains("\n")) {
                Optional<ImageEntry.File> file = find(source, text);
                if (file.isPresent()) {
                    named(source, file.get(), confidence);
                } else if (startsPrograms) {
                    program(source, text.strip().split("\\s+", 2)[0], confidence);
                }
            }
        }
    }

    private Optional<ImageEntry.File> find(ImageEntry.File source, String text) {
        if (text.startsWith("/")) {
            return files.file(text);
        }
        if (!text.contains(".") && !text.contains("/")) {
            return Optional.empty();
        }
        // A path through a missing name resolves only with '..'; most constants name nothing.
        String first = text.contains("..") ? "." : text.substring(0, (text + "/").indexOf('/'));
        return Stream.concat(Stream.of(source.directory(), command.directory()), dataDirectories.stream())
                .filter(directory -> first.equals(".") || names(directory).contains(first))
                .flatMap(directory -> files.file(directory + "/" + text).stream())
                .findFirst();
    }

    private Set<String> names(String directory) {
        return names.computeIfAbsent(directory, d -> Set.copyOf(files.names(d)));
    }

    private void named(ImageEntry.File source, ImageEntry.File file, double confidence) {
        if (file.executable() && file.name().contains("bin/")) {
            run(source, file.name(), confidence);
        } else if (!OF_PACKAGES.contains(file.path().name())) {
            start.reads().add(file, source.name(), confidence * DATA);
        }
    }

    private void program(ImageEntry.File source, String word, double confidence) {
        if (word.matches("[A-Za-z0-9][A-Za-z0-9._+-]{1,60}")) {
            Stream.of(command.environment()
                            .getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin")
                            .split(":"))
                    .flatMap(directory -> files.file(directory + "/" + word).stream())
                    .findFirst()
                    .ifPresent(program -> run(source, program.name(), confidence));
        }
    }

    private void run(ImageEntry.File source, String program, double confidence) {
        start.reads()
                .run(new Invocation(
                        List.of(program),
                        command.environment(),
                        command.directory(),
                        source.name(),
                        confidence * PROGRAM));
    }
}
