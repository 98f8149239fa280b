package io.faasimage.registry.sbom;

import io.faasimage.format.id.Digest;
import io.faasimage.format.trace.ByteRange;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.flatten.LinkWalk;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The files of an image that its traced starts read, by their real paths. */
final class TracedFiles {
    private static final int MAX_LINKS = 40;

    /**
     * The reads of a file.
     *
     * @param starts that read it; 0 when none did
     * @param bytes that were read
     */
    record Read(int starts, long bytes) {
        private static final Read NOTHING = new Read(0, 0);

        private Read and(Read other) {
            return new Read(Math.max(starts, other.starts), Math.max(bytes, other.bytes));
        }
    }

    private final Map<FilePath, Read> reads = new HashMap<>();
    private final Set<Digest> contents = new HashSet<>();

    /** Those of {@code trace} that are in {@code tree}; none without a trace. */
    TracedFiles(FileTree tree, Optional<Trace> trace) {
        LinkWalk walk = new LinkWalk(tree, MAX_LINKS);
        for (TraceEntry entry : trace.map(Trace::entries).orElse(List.of())) {
            try {
                FilePath path = walk.resolve(entry.path());
                if (tree.get(path).orElse(null) instanceof Inode.RegularFile file) {
                    reads.merge(path, new Read(entry.runs(), bytes(entry, file.size())), Read::and);
                    file.content().ifPresent(contents::add);
                }
            } catch (RefactorException | IllegalArgumentException e) {
                // A cycle of links, or a target that is no path: nothing can be read through it.
            }
        }
    }

    private static long bytes(TraceEntry entry, long size) {
        return entry.ranges().isEmpty()
                ? size
                : Math.min(
                        size,
                        entry.ranges().stream().mapToLong(ByteRange::length).sum());
    }

    /** The reads of the file at {@code path}. */
    Read of(FilePath path) {
        return reads.getOrDefault(path, Read.NOTHING);
    }

    /** The number of files that were read. */
    int count() {
        return reads.size();
    }

    /** The contents that were read. */
    Set<Digest> contents() {
        return Set.copyOf(contents);
    }
}
