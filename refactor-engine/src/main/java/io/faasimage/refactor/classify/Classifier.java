package io.faasimage.refactor.classify;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives every object of a file tree an owner. */
public final class Classifier {
    /** Owners by content, and what was not understood. */
    public record Classification(Map<Digest, Owner> owners, List<String> warnings) {
        /** Copies the collections. */
        public Classification {
            owners = Map.copyOf(owners);
            warnings = List.copyOf(warnings);
        }
    }

    private Classifier() {}

    /** Classifies the files of {@code tree}, whose small contents {@code contents} gives. */
    public static Classification classify(FileTree tree, Contents contents) throws IOException {
        Map<Digest, Owner> owners = new HashMap<>();
        for (Inode inode : tree.inodes().values()) {
            if (inode instanceof Inode.RegularFile file && file.content().isPresent()) {
                owners.merge(file.content().get(), Owner.FUNC, Owner::first);
            }
        }
        return new Classification(owners, List.of());
    }
}
