package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.image.ImageEntry;
import java.util.List;
import java.util.Optional;

/**
 * A module that was found.
 *
 * @param name dotted
 * @param kind how it is loaded
 * @param file of it; absent for a namespace package
 * @param directory where it was found, which may have a link to the file
 * @param places directories of a package's submodules; empty for other modules
 */
record PythonModule(String name, Kind kind, Optional<ImageEntry.File> file, String directory, List<String> places) {
    enum Kind {
        SOURCE,
        BYTECODE,
        EXTENSION,
        NAMESPACE
    }

    PythonModule {
        places = List.copyOf(places);
    }

    boolean isPackage() {
        return !places.isEmpty();
    }

    /** The package that relative imports start from. */
    String packageName() {
        return isPackage() ? name : parentOf(name);
    }

    static String parentOf(String name) {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(0, dot);
    }
}
