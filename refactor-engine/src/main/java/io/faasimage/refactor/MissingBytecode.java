package io.faasimage.refactor;

import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.StartupSource.StartupFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The Python modules that each start of an image compiles, because the image has sources without bytecode of its
 * interpreter.
 *
 * @param sources that starts read
 * @param bytes of these
 * @param runtime such as {@code python3.12}
 * @param directories with the sources, at most a few, with plain names only: people paste them into a shell
 */
public record MissingBytecode(int sources, long bytes, String runtime, List<String> directories) {
    private static final int WORTH_IT = 10;
    private static final int MAX_DIRECTORIES = 8;
    private static final Set<String> LIBRARIES = Set.of("site-packages", "dist-packages");
    private static final Pattern PLAIN = Pattern.compile("[\\w./+-]+");
    private static final Pattern PYTHON = Pattern.compile("python3\\.(\\d+)");

    /**
     * The missing bytecode.
     *
     * @param tree of the image
     * @param startup the paths that starts read
     * @param runtime of the image
     * @return empty when at most a few modules are compiled, such as the program itself
     */
    public static Optional<MissingBytecode> of(FileTree tree, List<StartupFile> startup, Optional<String> runtime) {
        Optional<Matcher> python = runtime.map(PYTHON::matcher).filter(Matcher::matches);
        if (python.isEmpty()) {
            return Optional.empty();
        }
        String suffix = ".cpython-3" + python.get().group(1) + ".pyc";
        Set<FilePath> sources = new HashSet<>();
        long bytes = 0;
        for (StartupFile file : startup) {
            FilePath path = file.path();
            if (path.name().endsWith(".py")
                    && tree.get(path).orElse(null) instanceof Inode.RegularFile source
                    && tree.get(compiled(path, suffix)).isEmpty()
                    && sources.add(path)) {
                bytes += source.size();
            }
        }
        return sources.size() < WORTH_IT
                ? Optional.empty()
                : Optional.of(new MissingBytecode(
                        sources.size(), bytes, runtime.orElseThrow(), directories(sources, runtime.orElseThrow())));
    }

    private static List<String> directories(Set<FilePath> sources, String runtime) {
        List<FilePath> directories = new ArrayList<>();
        // Depth first: all that is below a directory comes right after it.
        sources.stream().map(source -> directory(source, runtime)).sorted().forEach(directory -> {
            if (directories.isEmpty() || !directory.isAtOrBelow(directories.getLast())) {
                directories.add(directory);
            }
        });
        return directories.stream()
                .map(FilePath::display)
                .filter(PLAIN.asMatchPredicate())
                .limit(MAX_DIRECTORIES)
                .toList();
    }

    /** The directory that has all libraries or the whole runtime; else the source's own. */
    private static FilePath directory(FilePath source, String runtime) {
        FilePath directory = source.parent();
        for (FilePath above = directory; !above.isRoot(); above = above.parent()) {
            if (LIBRARIES.contains(above.name()) || above.name().equals(runtime)) {
                directory = above;
            }
        }
        return directory;
    }

    private static FilePath compiled(FilePath source, String suffix) {
        String name = source.name();
        return source.parent().child("__pycache__").child(name.substring(0, name.length() - ".py".length()) + suffix);
    }

    /** For people, with the remedy. */
    public String warning() {
        return String.format(
                Locale.ROOT,
                "each start compiles %d Python modules (%.1f MB of sources), because the image has no bytecode of %s"
                        + " for them; put into its Dockerfile, as root and after the last change of sources:"
                        + " RUN %s -m compileall -q %s || true",
                sources,
                bytes / 1e6,
                runtime,
                runtime,
                directories.isEmpty() ? "/" : String.join(" ", directories));
    }
}
