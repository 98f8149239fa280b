package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import java.util.List;

/**
 * A package with its files in a root file system.
 *
 * @param id of the package
 * @param files regular files that belong to it, in order; a package of links and directories has none
 */
public record InstalledPackage(PackageId id, List<FilePath> files) {
    public InstalledPackage {
        files = List.copyOf(files);
    }
}
