package io.faasimage.refactor.closure.runtime;

import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import java.util.Arrays;
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
public final class NamedFiles {
    private static final double DATA = 0.6;
    private static final double PROGRAM = 0.7;
    private static final int MAX_NAME = 200;

    private final Reads reads;
    private final Invocation command;
    private final Set<String> dataDirectories = new LinkedHashSet<>();
    private final Map<String, Set<String>> names = new HashMap<>();

    /** Those of the code that {@code command} starts. */
    public NamedFiles(Reads reads, Invocation command) {
        this.reads = reads;
        this.command = command;
    }

    /** Looks in this directory, too, for files that are named without one. */
    public void addDataDirectory(String directory) {
        dataDirectories.add(directory);
    }

    /**
     * Adds what one source names.
     *
     * @param source that has the constants
     * @param startsPrograms whether it starts programs, so that single words may be names of such
     */
    public void add(ImageEntry.File source, Collection<String> constants, boolean startsPrograms, double confidence) {
        for (String text : constants) {
            if (text.length() > 1 && text.length() <= MAX_NAME && !text.contains("\n")) {
                Optional<ImageEntry.File> file = find(source, text);
                if (file.isPresent()) {
                    named(source, file.get(), confidence);
                } else if (startsPrograms) {
                    program(source, text, confidence);
                }
            }
        }
    }

    private Optional<ImageEntry.File> find(ImageEntry.File source, String text) {
        if (text.startsWith("/")) {
            return reads.files().file(text);
        }
        if (!text.contains(".") && !text.contains("/")) {
            return Optional.empty();
        }
        // A path through a missing name resolves only with '..'; most constants name nothing.
        String first = text.contains("..") ? "" : text.substring(0, (text + "/").indexOf('/'));
        return Stream.concat(Stream.of(source.directory(), command.directory()), dataDirectories.stream())
                .filter(directory ->
                        first.isEmpty() || first.equals(".") || names(directory).contains(first))
                .flatMap(directory -> reads.files().file(directory + "/" + text).stream())
                .findFirst();
    }

    private Set<String> names(String directory) {
        return names.computeIfAbsent(
                directory,
                d -> reads.files()
                        .directory(d)
                        .map(path -> Set.copyOf(reads.files().names(path)))
                        .orElse(Set.of()));
    }

    private void named(ImageEntry.File source, ImageEntry.File file, double confidence) {
        if (file.executable() && file.name().contains("bin/")) {
            run(source, file.name(), confidence);
        } else if (!isPackageFile(file.path())) {
            reads.add(file, ClosureReason.DATA, source.name(), confidence * DATA);
        }
    }

    /** Documents of packages, which tools read and functions do not. */
    private static boolean isPackageFile(FilePath path) {
        return path.name().equals("requirements.txt") || path.name().equals("package-lock.json");
    }

    private void program(ImageEntry.File source, String text, double confidence) {
        String word = text.strip().split("\\s+", 2)[0];
        if (word.matches("[A-Za-z0-9][A-Za-z0-9._+-]{1,60}")) {
            Arrays.stream(command.environment()
                            .getOrDefault("PATH", "/usr/local/bin:/usr/bin:/bin")
                            .split(":"))
                    .flatMap(directory -> reads.files().file(directory + "/" + word).stream())
                    .findFirst()
                    .ifPresent(program -> run(source, program.name(), confidence));
        }
    }

    private void run(ImageEntry.File source, String program, double confidence) {
        reads.run(command.withWords(List.of(program))
                .namedBy(source.name())
                .times(confidence / command.confidence() * PROGRAM));
    }
}
