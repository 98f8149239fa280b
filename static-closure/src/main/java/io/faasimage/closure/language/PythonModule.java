package io.faasimage.closure.language;

import io.faasimage.closure.read.ImageEntry;
import java.util.List;
import java.util.Optional;

/**
 * A module that was found: a source, byte code without a source, or a C extension.
 *
 * @param name dotted
 * @param file of it; absent for a namespace package
 * @param directory where it was found, which may have a link to the file
 * @param places directories of a package's submodules; empty for other modules
 */
record PythonModule(String name, Optional<ImageEntry.File> file, String directory, List<String> places) {
    boolean isPackage() {
        return !places.isEmpty();
    }

    boolean isSource() {
        return hasName(".py");
    }

    boolean isExtension() {
        return hasName(".so");
    }

    private boolean hasName(String end) {
        return file.isPresent() && file.get().path().name().endsWith(end);
    }

    /** The package that relative imports start from. */
    String packageName() {
        return isPackage() ? name : parentOf(name);
    }

    static String parentOf(String name) {
        return name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
}
