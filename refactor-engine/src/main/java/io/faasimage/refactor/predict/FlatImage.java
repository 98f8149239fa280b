package io.faasimage.refactor.predict;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.classify.Classifier.Classification;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.flatten.LinkWalk;
import io.faasimage.refactor.image.ImageConfig;
import java.util.Optional;

/**
 * An image with its layers flattened, as predictions see it. For one thread.
 *
 * @param tree of all layers
 * @param contents of its files, of any size
 * @param owners of its files
 * @param config of the image
 * @param compressedBytes of its layers
 */
public record FlatImage(
        FileTree tree, TreeFiles.Objects contents, Classification owners, ImageConfig config, long compressedBytes) {
    private static final int MAX_LINKS = 40;

    /** The content that a path leads to; empty when it leads to no file with content. */
    public Optional<Digest> content(FilePath path) {
        return file(path).flatMap(Inode.RegularFile::content);
    }

    /** The file that a path leads to, links followed. */
    public Optional<Inode.RegularFile> file(FilePath path) {
        try {
            Inode inode = tree.get(new LinkWalk(tree, MAX_LINKS).resolve(path)).orElse(null);
            return inode instanceof Inode.RegularFile file ? Optional.of(file) : Optional.empty();
        } catch (RefactorException | IllegalArgumentException e) {
            // A cycle of links, or a target that is no path: nothing can be read through it.
            return Optional.empty();
        }
    }
}
