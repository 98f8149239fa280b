package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import java.util.Optional;

/** Compiled Python modules, which belong to whom their source belongs. */
final class PythonCache {
    private PythonCache() {}

    /** For {@code dir/__pycache__/name.cpython-311.pyc} the path {@code dir/name.py}. */
    static Optional<FilePath> sourceOf(FilePath file) {
        FilePath directory = file.parent();
        int dot = file.name().indexOf('.');
        if (!directory.name().equals("__pycache__") || !file.name().endsWith(".pyc") || dot <= 0) {
            return Optional.empty();
        }
        return Optional.of(directory.parent().child(file.name().substring(0, dot) + ".py"));
    }
}
