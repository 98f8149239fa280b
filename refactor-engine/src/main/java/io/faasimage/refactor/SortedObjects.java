package io.faasimage.refactor;

import io.faasimage.format.id.Digest;
import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.PlanObject;
import io.faasimage.format.trace.TraceEntry;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.StartupSource.StartupFile;
import io.faasimage.refactor.classify.Classifier.Classification;
import io.faasimage.refactor.classify.Owner;
import io.faasimage.refactor.fault.RefactorException;
import io.faasimage.refactor.flatten.LinkWalk;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * All objects of an image with their owners, the prefetch list first.
 *
 * @param libraries that own at least one object, in order
 * @param objects the prefetch list by rank, then the rest by digest
 * @param startupCount how many are the prefetch list
 * @param reads the entries of the trace for each object of the prefetch list
 * @param tracedFiles paths of the trace or prediction that have an object
 * @param missingFiles paths of the trace or prediction that have none
 * @param warnings of the classification
 */
record SortedObjects(
        List<Library> libraries,
        List<PlanObject> objects,
        int startupCount,
        Map<Digest, List<TraceEntry>> reads,
        int tracedFiles,
        int missingFiles,
        List<String> warnings) {
    private static final int MAX_LINKS = 40;

    static SortedObjects sort(ImageStack stack, Classification top, List<StartupFile> files) {
        Map<Digest, Owner> owners = new HashMap<>(top.owners());
        stack.contents().forEach((digest, shown) -> owners.computeIfAbsent(digest, d -> top.ownerOf(shown.path())));
        Set<Digest> order = new LinkedHashSet<>();
        Map<Digest, List<TraceEntry>> reads = new HashMap<>();
        int traced = 0;
        LinkWalk walk = new LinkWalk(stack.tree(), MAX_LINKS);
        for (StartupFile file : files) {
            Optional<Digest> content = content(stack.tree(), walk, file.path());
            content.ifPresent(digest -> {
                order.add(digest);
                file.read()
                        .ifPresent(entry -> reads.computeIfAbsent(digest, _ -> new ArrayList<>())
                                .add(entry));
            });
            traced += content.isPresent() ? 1 : 0;
        }
        int startup = order.size();
        stack.contents().keySet().stream().sorted().forEach(order::add);
        TreeSet<Library> libraries = new TreeSet<>(Owner.LIBRARY_ORDER);
        owners.values().forEach(owner -> owner.library().ifPresent(libraries::add));
        return new SortedObjects(
                List.copyOf(libraries),
                planObjects(stack, order, owners, List.copyOf(libraries)),
                startup,
                reads,
                traced,
                files.size() - traced,
                top.warnings());
    }

    private static List<PlanObject> planObjects(
            ImageStack stack, Set<Digest> order, Map<Digest, Owner> owners, List<Library> libraries) {
        Map<Library, Integer> indexes = new HashMap<>();
        for (Library library : libraries) {
            indexes.put(library, indexes.size());
        }
        List<PlanObject> objects = new ArrayList<>(order.size());
        for (Digest digest : order) {
            Owner owner = owners.getOrDefault(digest, Owner.FUNC);
            int library = owner.library().map(l -> indexes.getOrDefault(l, -1)).orElse(-1);
            ImageStack.Shown shown = stack.contents().get(digest);
            if (shown != null) {
                objects.add(new PlanObject(digest, shown.size(), owner.segment(), library));
            }
        }
        return objects;
    }

    private static Optional<Digest> content(FileTree tree, LinkWalk walk, FilePath path) {
        try {
            Inode inode = tree.get(walk.resolve(path)).orElse(null);
            return inode instanceof Inode.RegularFile file ? file.content() : Optional.empty();
        } catch (RefactorException | IllegalArgumentException e) {
            // A cycle of links, or a target that is no path: nothing can be read through it.
            return Optional.empty();
        }
    }
}
