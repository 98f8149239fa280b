package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.reads.StringWeight;
import java.util.List;

/**
 * One import of a source.
 *
 * @param level number of dots of a relative import, else 0
 * @param module dotted name behind the dots; may be empty for a relative import
 * @param names that are imported from the module; empty for a plain {@code import}
 * @param confidence that a run of the module, or function, gets there
 * @param function outermost function that it is in; empty at module level
 * @param unless the imports whose failure leads to this one; empty when nothing has to fail
 */
record PythonImport(
        int level, String module, List<String> names, double confidence, String function, List<PythonImport> unless) {
    private static final long REFERENCE_BYTES = 8;

    PythonImport {
        names = List.copyOf(names);
        unless = List.copyOf(unless);
    }

    /** About how much memory it takes; the other imports are weighed where they stand. */
    long weight() {
        return StringWeight.of(module)
                + StringWeight.of(names)
                + StringWeight.of(function)
                + (long) unless.size() * REFERENCE_BYTES;
    }
}
