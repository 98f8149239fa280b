package io.faasimage.registry.sbom;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.classify.InstalledPackage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The files of one package that starts read.
 *
 * @param files that the package has
 * @param bytes that they have
 * @param readFiles paths that traced starts read, in order
 * @param readBytes bytes of them that were read; whole files where the trace does not name ranges
 * @param starts most traced starts that read the same file of it
 * @param onDemand whether starts on a plan fetched some of it that no traced start had read
 */
record PackageReads(int files, long bytes, List<FilePath> readFiles, long readBytes, int starts, boolean onDemand) {
    PackageReads {
        readFiles = List.copyOf(readFiles);
    }

    /**
     * Counts them.
     *
     * @param missed contents that starts on a plan missed and no traced start read
     */
    static PackageReads of(InstalledPackage installed, FileTree tree, TracedFiles traced, Set<Digest> missed) {
        long bytes = 0;
        List<FilePath> read = new ArrayList<>();
        long readBytes = 0;
        int starts = 0;
        boolean onDemand = false;
        for (FilePath path : installed.files()) {
            if (tree.get(path).orElse(null) instanceof Inode.RegularFile file) {
                bytes += file.size();
                onDemand |= file.content().filter(missed::contains).isPresent();
                TracedFiles.Read of = traced.of(path);
                if (of.starts() > 0) {
                    read.add(path);
                    readBytes += of.bytes();
                    starts = Math.max(starts, of.starts());
                }
            }
        }
        return new PackageReads(installed.files().size(), bytes, read, readBytes, starts, onDemand);
    }

    /** Whether a traced start read any of it. */
    boolean loaded() {
        return starts > 0;
    }
}
