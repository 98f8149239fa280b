package io.faasimage.refactor.predict;

import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.trace.Trace;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.classify.Owner;
import io.faasimage.refactor.classify.RuntimeName;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.flatten.LinkWalk;
import io.faasimage.refactor.predict.LibraryReads.ReadFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of an image by the library that they belong to; those of its base belong to its runtime. For one thread.
 */
public final class LibraryFiles {
    private static final Pattern RUNTIME = Pattern.compile("([a-z]+)([0-9.]*)");
    private static final int MAX_LINKS = 40;

    private final FlatImage image;
    private final Optional<Library> runtime;
    private final Map<Library, Map<String, FilePath>> files = new LinkedHashMap<>();

    /** The files of {@code image}. */
    public LibraryFiles(FlatImage image) {
        this.image = image;
        this.runtime = RuntimeName.of(image.tree()).flatMap(LibraryFiles::runtime);
        image.tree().inodes().forEach((path, inode) -> {
            if (inode instanceof Inode.RegularFile file && file.content().isPresent()) {
                libraryOf(path)
                        .ifPresent(library -> files.computeIfAbsent(library, _ -> new HashMap<>())
                                .putIfAbsent(ProfilePath.of(library, path), path));
            }
        });
    }

    private static Optional<Library> runtime(String name) {
        Matcher matcher = RUNTIME.matcher(name);
        return matcher.matches()
                ? Optional.of(new Library(
                        ProfilePath.RUNTIME, matcher.group(1), matcher.group(2).isEmpty() ? "any" : matcher.group(2)))
                : Optional.empty();
    }

    /** The library or runtime that a file belongs to; empty for the function's own. */
    Optional<Library> libraryOf(FilePath path) {
        Owner owner = image.owners().ownerOf(path);
        return owner.segment() == Segment.BASE ? runtime : owner.library();
    }

    /** The files of each library and of the runtime, by name. */
    Map<Library, Map<String, FilePath>> all() {
        return files;
    }

    /** The reads of a trace of the image, by its libraries and its runtime. */
    public List<LibraryReads> reads(Trace trace) {
        Map<Library, Map<String, ReadFile>> reads = new LinkedHashMap<>();
        files.keySet().forEach(library -> reads.put(library, new LinkedHashMap<>()));
        LinkWalk walk = new LinkWalk(image.tree(), MAX_LINKS);
        for (TraceEntry entry : trace.entries()) {
            Optional<FilePath> path = resolved(walk, entry.path());
            Optional<Library> library = path.flatMap(this::libraryOf);
            if (library.isPresent()) {
                String name = ProfilePath.of(library.get(), path.get());
                ReadFile file = new ReadFile(name, (double) entry.runs() / trace.runs(), entry.meanRank());
                reads.computeIfAbsent(library.get(), _ -> new LinkedHashMap<>()).putIfAbsent(name, file);
            }
        }
        List<LibraryReads> all = new ArrayList<>();
        reads.forEach((library, names) -> all.add(new LibraryReads(library, List.copyOf(names.values()))));
        return all;
    }

    private Optional<FilePath> resolved(LinkWalk walk, FilePath path) {
        try {
            FilePath real = walk.resolve(path);
            return image.content(real).map(_ -> real);
        } catch (RefactorException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
