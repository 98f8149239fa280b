package io.faasimage.closure.language;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A finder of modules by name, as CPython's path-based one. Archives on the path are left out. For one thread.
 *
 * @see <a href="https://docs.python.org/3/reference/import.html">The import system</a>
 */
final class PythonFinder {
    private final ImageFiles files;
    private final List<String> suffixes;
    private final List<String> path = new ArrayList<>();
    private final Map<String, Optional<PythonModule>> found = new HashMap<>();
    private final Map<String, Set<String>> names = new HashMap<>();

    /** Finds modules of this minor version of Python 3. */
    PythonFinder(ImageFiles files, int minor) {
        this.files = files;
        this.suffixes = List.of(".cpython-3" + minor + ".so", ".abi3.so", ".so", ".py", ".pyc");
    }

    /** Adds a directory to the path. */
    void addPlace(String directory, boolean first) {
        if (!path.contains(directory)) {
            path.add(first ? 0 : path.size(), directory);
            found.values().removeIf(Optional::isEmpty);
        }
    }

    /** The module of this dotted name. */
    Optional<PythonModule> find(String name) {
        Optional<PythonModule> known = found.get(name);
        if (known == null) {
            String parent = PythonModule.parentOf(name);
            List<String> places = parent.isEmpty()
                    ? path
                    : find(parent).map(PythonModule::places).orElse(List.of());
            known = find(name, name.substring(name.lastIndexOf('.') + 1), places);
            found.put(name, known);
        }
        return known;
    }

    private Optional<PythonModule> find(String name, String last, List<String> places) {
        List<String> namespace = new ArrayList<>();
        if (last.isEmpty() || last.contains("/")) {
            return Optional.empty();
        }
        for (String place : places) {
            String inside = place + "/" + last;
            boolean isDirectory =
                    names(place).contains(last) && files.directory(inside).isPresent();
            Optional<PythonModule> module =
                    isDirectory ? file(name, inside, "__init__", List.of(inside)) : Optional.empty();
            module = module.isPresent() ? module : file(name, place, last, List.of());
            if (module.isPresent()) {
                return module;
            }
            if (isDirectory) {
                namespace.add(inside);
            }
        }
        return namespace.isEmpty()
                ? Optional.empty()
                : Optional.of(new PythonModule(name, Optional.empty(), "", namespace));
    }

    private Optional<PythonModule> file(String name, String directory, String stem, List<String> places) {
        for (String suffix : suffixes) {
            if (names(directory).contains(stem + suffix)) {
                for (String file : suffix.endsWith(".so") ? files.names(directory) : List.of(stem + suffix)) {
                    Optional<ImageEntry.File> found = withoutPlatform(file).equals(stem + suffix)
                            ? files.file(directory + "/" + file)
                            : Optional.empty();
                    if (found.isPresent()) {
                        return Optional.of(new PythonModule(name, found, directory, places));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** The names in a directory, those of extensions without their platform. */
    private Set<String> names(String directory) {
        return names.computeIfAbsent(directory, d -> {
            Set<String> here = new HashSet<>();
            files.names(d).forEach(name -> here.add(withoutPlatform(name)));
            return here;
        });
    }

    /** For example {@code a.cpython-311.so} for {@code a.cpython-311-x86_64-linux-gnu.so}. */
    private static String withoutPlatform(String name) {
        int version = name.endsWith(".so") ? name.indexOf(".cpython-3") : -1;
        int platform = version < 0 ? -1 : name.indexOf('-', version + ".cpython-3".length());
        return platform < 0 ? name : name.substring(0, platform) + ".so";
    }
}
