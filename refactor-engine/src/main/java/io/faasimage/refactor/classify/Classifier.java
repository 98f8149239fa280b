package io.faasimage.refactor.classify;

import io.faasimage.format.id.Digest;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The classifier that gives every object of a file tree an owner. Each rule reads one kind of package database and
 * claims files; a content that several files have belongs to the first of their owners. Stateless.
 */
public final class Classifier {
    private static final List<Rule> RULES = List.of(
            new OsPackages.Dpkg(),
            new OsPackages.Apk(),
            new OsPackages.Rpm(),
            new Runtimes(),
            new PythonLibraries(),
            new NodeLibraries(),
            new RubyLibraries(),
            new PhpLibraries());

    /** Owners by content, and warnings about entries that were not understood. */
    public static final class Classification {
        private final Map<Digest, Owner> owners;
        private final RootFiles root;

        private Classification(Map<Digest, Owner> owners, RootFiles root) {
            this.owners = Map.copyOf(owners);
            this.root = root;
        }

        /** The owner of each content that the tree shows. */
        public Map<Digest, Owner> owners() {
            return owners;
        }

        /** To whom a file at {@code path} belongs or, where there is none, would belong. */
        public Owner ownerOf(FilePath path) {
            return root.owner(path);
        }

        /** Warnings about entries that were not understood. */
        public List<String> warnings() {
            return List.copyOf(root.warnings());
        }
    }

    /** One kind of package database. */
    @FunctionalInterface
    interface Rule {
        /** Claims the files that the databases in {@code root} list. */
        void claim(RootFiles root) throws IOException;
    }

    private Classifier() {}

    /** Classifies the files of {@code tree}, whose small contents {@code contents} gives. */
    public static Classification classify(FileTree tree, Contents contents) throws IOException {
        RootFiles root = new RootFiles(tree, contents);
        for (Rule rule : RULES) {
            rule.claim(root);
        }
        Map<Digest, Owner> owners = new HashMap<>();
        for (Map.Entry<FilePath, Inode> entry : root.all()) {
            if (entry.getValue() instanceof Inode.RegularFile file
                    && file.content().isPresent()) {
                owners.merge(file.content().get(), root.owner(entry.getKey()), Owner::first);
            }
        }
        return new Classification(owners, root);
    }
}
