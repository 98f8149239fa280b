package io.faasimage.refactor;

import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.StartupSource.StartupFile;
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
 */
public record MissingBytecode(int sources, long bytes, String runtime) {
    private static final int WORTH_IT = 10;
    private static final Pattern PYTHON = Pattern.compile("python3\\.(\\d+)");

    /**
     * What is missing.
     *
     * @param tree of the image, with learnt caches if it has them
     * @param startup what starts read
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
                : Optional.of(new MissingBytecode(sources.size(), bytes, runtime.orElseThrow()));
    }

    private static FilePath compiled(FilePath source, String suffix) {
        String name = source.name();
        return source.parent().child("__pycache__").child(name.substring(0, name.length() - ".py".length()) + suffix);
    }

    /** For people, with what to do. */
    public String warning() {
        return String.format(
                Locale.ROOT,
                "each start compiles %d Python modules (%.1f MB of sources), because the image has no bytecode of %s"
                        + " for them; run 'python3 -m compileall' in its build and leave PYTHONDONTWRITEBYTECODE"
                        + " unset there, or let them be learnt: faasimage functions set NAME --learn-caches",
                sources,
                bytes / 1e6,
                runtime);
    }
}
