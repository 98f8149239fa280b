package io.faasimage.refactor;

import io.faasimage.format.cache.LearntCaches;
import io.faasimage.format.cache.LearntFile;
import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.FileTree;
import io.faasimage.format.tree.Inode;
import io.faasimage.refactor.StartupSource.StartupFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The files of learnt caches that fit an image: each adds a file to a cache or replaces one of the cache, and changes
 * nothing else of the root file system. What is compiled from a source that the image does not have, or has otherwise,
 * would never be used and is left out. Immutable.
 */
public final class LearntLayer {
    private static final int DIRECTORY_MODE = 0755;
    private static final int READABLE = 0444;

    private final List<LearntFile> files;
    private final Map<FilePath, LearntFile> bySource;
    private final int leftOut;

    private LearntLayer(List<LearntFile> files, Map<FilePath, LearntFile> bySource, int leftOut) {
        this.files = List.copyOf(files);
        this.bySource = Map.copyOf(bySource);
        this.leftOut = leftOut;
    }

    /** Those of {@code caches} that fit the image's root file system. */
    public static LearntLayer of(LearntCaches caches, FileTree image) {
        List<LearntFile> files = new ArrayList<>();
        Map<FilePath, LearntFile> bySource = new LinkedHashMap<>();
        for (LearntFile file : caches.files()) {
            // Depth first, so a file below another comes after it, with only such files between them.
            boolean below =
                    !files.isEmpty() && file.path().isAtOrBelow(files.getLast().path());
            if (below || !fits(file.path(), image)) {
                continue;
            }
            switch (file.place()) {
                case PYTHON -> {
                    if (Bytecode.isOf(file, image)) {
                        files.add(file);
                        bySource.put(Bytecode.source(file.path()), file);
                    }
                }
                case PHP -> {
                    if (source(file.path()).flatMap(image::get).isPresent()) {
                        files.add(file);
                    }
                }
                case NODE, RUBY -> files.add(file);
            }
        }
        return new LearntLayer(files, bySource, caches.files().size() - files.size());
    }

    /** Whether the nearest directory above is one in the image, and nothing but a file of this cache is replaced. */
    private static boolean fits(FilePath path, FileTree image) {
        Optional<Inode> there = image.get(path);
        if (there.isPresent()) {
            return there.get() instanceof Inode.RegularFile;
        }
        FilePath above = path.parent();
        while (!above.isRoot() && image.get(above).isEmpty()) {
            above = above.parent();
        }
        return image.get(above).filter(Inode.Directory.class::isInstance).isPresent();
    }

    /** Of {@code cache/<ID>/app/index.php.bin}, {@code app/index.php}. */
    private static Optional<FilePath> source(FilePath compiled) {
        String[] names = compiled.raw().split("/", -1);
        for (int i = 0; i < names.length - 1; i++) {
            if (names[i].matches("[0-9a-f]{32}")) {
                String path = String.join("/", List.of(names).subList(i + 1, names.length));
                return Optional.of(new FilePath(path.substring(0, path.length() - ".bin".length())));
            }
        }
        return Optional.empty();
    }

    /** The files, by path. */
    public List<LearntFile> files() {
        return files;
    }

    /** How many files do not fit the image. */
    public int leftOut() {
        return leftOut;
    }

    /** Puts the files into the tree of the whole image, with directories where the start made them. */
    public void addTo(FileTree tree) {
        for (LearntFile file : files) {
            addDirectories(tree, file.path().parent(), file.attributes());
            tree.put(file.path(), Inode.RegularFile.of(file.attributes(), file.content().length, file.digest()));
        }
    }

    /** Everybody may read those of files that everybody may read. */
    private static void addDirectories(FileTree tree, FilePath directory, Attributes file) {
        if (tree.get(directory).isPresent()) {
            return;
        }
        addDirectories(tree, directory.parent(), file);
        int mode = (file.mode() & READABLE) == READABLE ? DIRECTORY_MODE : 0700;
        tree.put(
                directory,
                new Inode.Directory(
                        Attributes.of(mode, file.uid(), file.gid(), file.mtimeSeconds(), file.mtimeNanos())));
    }

    /**
     * The prefetch list of a start that has the files: bytecode takes the place of its source, which Python then only
     * looks at; what belongs to no one source comes last.
     */
    public List<StartupFile> order(List<StartupFile> startup) {
        List<StartupFile> ordered = new ArrayList<>();
        Set<LearntFile> rest = new LinkedHashSet<>(files);
        for (StartupFile file : startup) {
            LearntFile compiled = bySource.get(file.path());
            if (compiled == null) {
                ordered.add(file);
            } else if (rest.remove(compiled)) {
                ordered.add(read(compiled));
            }
        }
        rest.forEach(file -> ordered.add(read(file)));
        return ordered;
    }

    private static StartupFile read(LearntFile file) {
        return new StartupFile(file.path(), Optional.empty());
    }
}
