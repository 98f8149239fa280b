package io.faasimage.refactor.predict;

import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The trace of an earlier image of the same function or repository. Files are found again at their path or, where they
 * moved, by their content. Thread-safe if the tree is not changed.
 */
public final class InheritedTrace implements FileEvidence {
    /** A new version of a function now and then reads other files than the one before. */
    private static final double SAME_PATH = 0.98;

    private static final double MOVED = 0.9;

    private final String from;
    private final Trace trace;
    private final Optional<FileTree> earlier;
    private final Map<FilePath, Digest> contents = new HashMap<>();

    /**
     * Inherits a trace.
     *
     * @param from the earlier image, for people
     * @param trace of its starts
     * @param earlier its files, if they are known: without them, files that moved are not found again
     */
    public InheritedTrace(String from, Trace trace, Optional<FileTree> earlier) {
        this.from = from;
        this.trace = trace;
        this.earlier = earlier;
        for (TraceEntry entry : trace.entries()) {
            earlier.flatMap(tree -> content(tree, entry.path()))
                    .ifPresent(content -> contents.put(entry.path(), content));
        }
    }

    private static Optional<Digest> content(FileTree tree, FilePath path) {
        return tree.get(path).orElse(null) instanceof Inode.RegularFile file ? file.content() : Optional.empty();
    }

    /** The traced paths. */
    public Set<FilePath> paths() {
        return trace.entries().stream().map(TraceEntry::path).collect(Collectors.toUnmodifiableSet());
    }

    /** The share of the earlier image's reads that is found again. */
    public double coverage(FlatImage image) {
        double all = 0;
        double found = 0;
        Map<Digest, FilePath> moved = moved(image);
        for (TraceEntry entry : trace.entries()) {
            double weight = (double) entry.runs() * (1 + size(entry.path()));
            boolean isThere = image.content(entry.path()).isPresent()
                    || Optional.ofNullable(contents.get(entry.path()))
                            .filter(moved::containsKey)
                            .isPresent();
            all += weight;
            found += isThere ? weight : 0;
        }
        return all == 0 ? 0 : found / all;
    }

    private long size(FilePath path) {
        return earlier.flatMap(tree -> tree.get(path)).orElse(null) instanceof Inode.RegularFile file ? file.size() : 0;
    }

    /** Whether the earlier image has this very file, and none of its starts read it. */
    boolean isUnread(FilePath path, Digest content) {
        return !contents.containsKey(path)
                && earlier.flatMap(tree -> content(tree, path))
                        .filter(content::equals)
                        .isPresent();
    }

    @Override
    public List<PredictedFile> of(FlatImage image) {
        Map<Digest, FilePath> moved = moved(image);
        List<PredictedFile> files = new ArrayList<>();
        for (TraceEntry entry : trace.entries()) {
            double share = (double) entry.runs() / trace.runs();
            if (image.content(entry.path()).isPresent()) {
                files.add(new PredictedFile(entry.path(), Evidence.TRACE, from, share * SAME_PATH, entry.meanRank()));
                continue;
            }
            Optional.ofNullable(contents.get(entry.path()))
                    .flatMap(content -> Optional.ofNullable(moved.get(content)))
                    .ifPresent(path ->
                            files.add(new PredictedFile(path, Evidence.MOVED, from, share * MOVED, entry.meanRank())));
        }
        return files;
    }

    /** Where the image has the contents of traced files that are not at their paths any more. */
    private Map<Digest, FilePath> moved(FlatImage image) {
        Set<Digest> missing = new HashSet<>();
        contents.forEach((path, content) -> {
            if (image.content(path).isEmpty()) {
                missing.add(content);
            }
        });
        Map<Digest, FilePath> found = new HashMap<>();
        if (!missing.isEmpty()) {
            image.tree().inodes().forEach((path, inode) -> {
                if (inode instanceof Inode.RegularFile file) {
                    file.content().filter(missing::contains).ifPresent(content -> found.putIfAbsent(content, path));
                }
            });
        }
        return found;
    }
}
