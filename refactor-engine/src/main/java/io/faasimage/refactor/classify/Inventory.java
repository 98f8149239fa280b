package io.faasimage.refactor.classify;

import io.faasimage.format.plan.Library;
import io.faasimage.format.plan.Segment;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The packages that are installed in a root file system: those of the operating system, libraries, and a runtime that
 * no package manager installed. A file belongs to at most one of them, by the {@link Classifier}'s precedence.
 *
 * @param distribution of the operating system; empty for an image without one
 * @param packages in order
 * @param warnings about entries that were not understood
 */
public record Inventory(Optional<Distribution> distribution, List<InstalledPackage> packages, List<String> warnings) {
    private static final Pattern RUNTIME = Pattern.compile("([a-z]+)([0-9.]*)");
    private static final List<FilePath> RUNTIME_DIRECTORIES = List.of(new FilePath("usr/local"), new FilePath("opt"));

    public Inventory {
        packages = List.copyOf(packages);
        warnings = List.copyOf(warnings);
    }

    /** The inventory of {@code tree}, whose small contents {@code contents} gives. */
    public static Inventory of(FileTree tree, Contents contents) throws IOException {
        RootFiles root = Classifier.claimed(tree, contents);
        SortedMap<PackageId, Set<FilePath>> system = SystemPackages.of(root);
        Map<FilePath, PackageId> listed = new HashMap<>();
        SortedMap<PackageId, List<FilePath>> packages = new TreeMap<>();
        system.forEach((id, paths) -> {
            packages.put(id, new ArrayList<>());
            paths.forEach(path -> listed.putIfAbsent(path, id));
        });
        Optional<PackageId> runtime = RuntimeName.of(tree).flatMap(Inventory::runtime);
        for (Map.Entry<FilePath, Inode> entry : root.all()) {
            if (entry.getValue() instanceof Inode.RegularFile) {
                FilePath path = entry.getKey();
                owner(root, listed, runtime, path)
                        .ifPresent(id -> packages.computeIfAbsent(id, _ -> new ArrayList<>())
                                .add(path));
            }
        }
        return new Inventory(
                Distribution.of(root),
                packages.entrySet().stream()
                        .map(installed -> new InstalledPackage(installed.getKey(), installed.getValue()))
                        .toList(),
                root.warnings());
    }

    private static Optional<PackageId> owner(
            RootFiles root, Map<FilePath, PackageId> listed, Optional<PackageId> runtime, FilePath path) {
        Optional<PackageId> system = Optional.ofNullable(listed.get(path))
                .or(() -> PythonCache.sourceOf(path).map(listed::get));
        if (system.isPresent()) {
            return system;
        }
        Owner owner = root.owner(path);
        if (owner.library().isPresent()) {
            Library library = owner.library().get();
            return Optional.of(new PackageId(library.ecosystem(), library.name(), library.version(), ""));
        }
        boolean ofRuntime =
                owner.segment() == Segment.BASE && RUNTIME_DIRECTORIES.stream().anyMatch(path::isAtOrBelow);
        return ofRuntime ? runtime : Optional.empty();
    }

    private static Optional<PackageId> runtime(String name) {
        Matcher parts = RUNTIME.matcher(name);
        return parts.matches()
                ? Optional.of(new PackageId(PackageId.RUNTIME, parts.group(1), parts.group(2), ""))
                : Optional.empty();
    }
}
