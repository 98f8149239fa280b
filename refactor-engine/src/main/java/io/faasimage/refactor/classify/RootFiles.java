package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.flatten.LinkWalk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A root file system to look for package databases in, and the claims that they make. For one thread. */
final class RootFiles {
    private static final int MAX_LINKS = 40;
    private static final int MAX_WARNINGS = 100;
    private static final long MAX_DATABASE_BYTES = 32 << 20;

    private final FileTree tree;
    private final Contents contents;
    private final LinkWalk walk;
    private final Map<FilePath, Owner> claims = new HashMap<>();
    private final Map<String, Optional<FilePath>> directories = new HashMap<>();
    private final List<FilePath> looseBase = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    RootFiles(FileTree tree, Contents contents) {
        this.tree = tree;
        this.contents = contents;
        this.walk = new LinkWalk(tree, MAX_LINKS);
    }

    /** All paths with their inodes. */
    Iterable<Map.Entry<FilePath, Inode>> all() {
        return tree.inodes().entrySet();
    }

    /** The regular files at or below a path. */
    List<FilePath> filesBelow(FilePath directory) {
        List<FilePath> files = new ArrayList<>();
        for (Map.Entry<FilePath, Inode> entry : tree.inodes().tailMap(directory).entrySet()) {
            if (!entry.getKey().isAtOrBelow(directory)) {
                break;
            }
            if (entry.getValue() instanceof Inode.RegularFile) {
                files.add(entry.getKey());
            }
        }
        return files;
    }

    /** Everything but directories at or below a path. */
    List<FilePath> filesAndLinksBelow(FilePath directory) {
        List<FilePath> files = new ArrayList<>();
        for (Map.Entry<FilePath, Inode> entry : tree.inodes().tailMap(directory).entrySet()) {
            if (!entry.getKey().isAtOrBelow(directory)) {
                break;
            }
            if (!(entry.getValue() instanceof Inode.Directory)) {
                files.add(entry.getKey());
            }
        }
        return files;
    }

    boolean isDirectory(FilePath path) {
        return tree.get(path).orElse(null) instanceof Inode.Directory;
    }

    boolean isFile(FilePath path) {
        return tree.get(path).orElse(null) instanceof Inode.RegularFile;
    }

    /** The text of a file, one char per byte; absent when it is no regular file; too long ones are warned of. */
    Optional<String> bytesOf(FilePath path) throws IOException {
        if (!(tree.get(path).orElse(null) instanceof Inode.RegularFile file)) {
            return Optional.empty();
        }
        if (file.content().isEmpty()) {
            return Optional.of("");
        }
        if (file.size() > MAX_DATABASE_BYTES) {
            warn(path + " is too long to be read as a package database");
            return Optional.empty();
        }
        return Optional.of(new String(contents.read(file.content().get()), StandardCharsets.ISO_8859_1));
    }

    /** The text of a file as UTF-8. */
    Optional<String> textOf(FilePath path) throws IOException {
        return bytesOf(path).map(raw -> new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8));
    }

    /** Where a name as written leads; absent when it leads nowhere sensible. */
    Optional<FilePath> resolve(String name) {
        int slash = name.lastIndexOf('/');
        String last = name.substring(slash + 1);
        if (slash <= 0 || last.isEmpty() || last.equals(".") || last.equals("..")) {
            return walk(name);
        }
        Optional<FilePath> directory = directories.computeIfAbsent(name.substring(0, slash), this::walk);
        if (directory.isEmpty()) {
            return directory;
        }
        try {
            FilePath path = directory.get().child(last);
            return tree.get(path).orElse(null) instanceof Inode.Symlink ? walk(name) : Optional.of(path);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private Optional<FilePath> walk(String name) {
        try {
            return Optional.of(walk.resolve(name));
        } catch (RefactorException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Assigns the file to {@code owner}, unless an owner with precedence has it. */
    void claim(FilePath file, Owner owner) {
        claims.merge(file, owner, Owner::first);
    }

    /** Assigns all files at or below {@code directory} to {@code owner}. */
    void claimBelow(FilePath directory, Owner owner) {
        filesBelow(directory).forEach(file -> claim(file, owner));
    }

    /** Unclaimed files at or below {@code directory} belong to the base. */
    void looseBase(FilePath directory) {
        looseBase.add(directory);
    }

    /** The owner of a file after all claims. */
    Owner owner(FilePath file) {
        Optional<Owner> source = PythonCache.sourceOf(file).map(claims::get);
        Owner own = claims.get(file);
        if (own != null) {
            return source.map(s -> Owner.first(s, own)).orElse(own);
        }
        if (source.isPresent()) {
            return source.get();
        }
        return looseBase.stream().anyMatch(file::isAtOrBelow) ? Owner.BASE : Owner.FUNC;
    }

    void warn(String text) {
        if (warnings.size() < MAX_WARNINGS) {
            warnings.add(text);
        }
    }

    /** Claims the files of the package at {@code place}; one whose names nobody can have is warned of and left out. */
    void claimPackage(FilePath place, PackageClaim claim) throws IOException {
        try {
            claim.run();
        } catch (IllegalArgumentException e) {
            warn("the package at " + place + " cannot be parsed, its files count as the function's: " + e.getMessage());
        }
    }

    /** The claims of one package. */
    @FunctionalInterface
    interface PackageClaim {
        /** Makes them; {@link IllegalArgumentException} when the package cannot be parsed. */
        void run() throws IOException;
    }

    List<String> warnings() {
        return warnings;
    }
}
