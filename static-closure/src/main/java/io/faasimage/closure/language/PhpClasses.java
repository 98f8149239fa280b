package io.faasimage.closure.language;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The files of classes, which autoloaders find by tables: here by their names, as each class has a file of its name, in
 * directories that are named like parts of its namespace. For one thread.
 */
final class PhpClasses {
    private static final int MAX_DIRECTORIES = 20_000;

    private final ImageFiles files;
    private final Map<String, List<String>> paths = new HashMap<>();
    private final Map<String, Optional<ImageEntry.File>> found = new HashMap<>();

    /** The sources below these directories. */
    PhpClasses(ImageFiles files, List<String> directories) {
        this.files = files;
        Deque<String> todo = new ArrayDeque<>(directories);
        for (int done = 0; done < MAX_DIRECTORIES && !todo.isEmpty(); done++) {
            String directory = todo.poll();
            for (String name : files.names(directory)) {
                String path = directory + "/" + name;
                if (name.endsWith(".php")) {
                    paths.computeIfAbsent(name.toLowerCase(Locale.ROOT), k -> new ArrayList<>())
                            .add(path);
                } else if (!name.contains(".")) {
                    todo.add(path);
                }
            }
        }
    }

    /** The file of a class by its name in lower case: that whose directories have most parts of the namespace. */
    Optional<ImageEntry.File> find(String name) {
        return found.computeIfAbsent(name, this::search);
    }

    private Optional<ImageEntry.File> search(String name) {
        List<String> parts = List.of(name.split("\\\\"));
        if (parts.isEmpty()) {
            return Optional.empty();
        }
        String best = "";
        int most = 0;
        for (String path : paths.getOrDefault(parts.getLast() + ".php", List.of())) {
            String directories = path.substring(0, path.lastIndexOf('/') + 1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[-_]", "");
            int score = 1;
            for (String part : parts.subList(0, parts.size() - 1)) {
                score += directories.contains("/" + part + "/") ? 2 : 0;
            }
            if (score > most) {
                most = score;
                best = path;
            }
        }
        return files.file(best);
    }
}
