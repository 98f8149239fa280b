package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.python.PythonModule.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A finder of modules by name, as CPython's path-based one. Archives on the path are left out. For one thread.
 *
 * @see <a href="https://docs.python.org/3/reference/import.html">The import system</a>
 */
final class PythonFinder {
    private final ImageFiles files;
    private final String tag;
    private final List<String> path = new ArrayList<>();
    private final Map<String, Optional<PythonModule>> found = new HashMap<>();
    private final Map<String, Map<String, String>> names = new HashMap<>();

    /** Finds modules of this minor version of Python 3 in {@code path}. */
    PythonFinder(ImageFiles files, int minor, List<String> path) {
        this.files = files;
        this.tag = ".cpython-3" + minor;
        this.path.addAll(path);
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
            Map<String, String> here = names(place);
            if (here.containsKey(last)) {
                Optional<PythonModule> inside = file(name, place + "/" + last, "__init__", true);
                if (inside.isPresent()) {
                    return inside;
                }
            }
            Optional<PythonModule> module = file(name, place, last, false);
            if (module.isPresent()) {
                return module;
            }
            if (here.containsKey(last) && files.directory(place + "/" + last).isPresent()) {
                namespace.add(place + "/" + last);
            }
        }
        return namespace.isEmpty()
                ? Optional.empty()
                : Optional.of(new PythonModule(name, Kind.NAMESPACE, Optional.empty(), "", namespace));
    }

    private Optional<PythonModule> file(String name, String directory, String stem, boolean isPackage) {
        Map<String, String> here = names(directory);
        List<String> places = isPackage ? List.of(directory) : List.of();
        for (String suffix : List.of(tag + "-", ".abi3.so", ".so", ".py", ".pyc")) {
            Optional<String> match = Optional.ofNullable(here.get(stem + suffix));
            Optional<ImageEntry.File> file = match.flatMap(n -> files.file(directory + "/" + n));
            if (file.isPresent()) {
                Kind kind = switch (suffix) {
                    case ".py" -> Kind.SOURCE;
                    case ".pyc" -> Kind.BYTECODE;
                    default -> Kind.EXTENSION;
                };
                return Optional.of(new PythonModule(name, kind, file, directory, places));
            }
        }
        return Optional.empty();
    }

    /** The names in a directory by themselves; those of extensions also without their platform. */
    private Map<String, String> names(String directory) {
        return names.computeIfAbsent(directory, d -> {
            Map<String, String> here = new HashMap<>();
            for (String name : files.directory(d).map(files::names).orElse(List.of())) {
                here.put(name, name);
                int platform = name.indexOf(tag + "-");
                if (platform > 0 && name.endsWith(".so")) {
                    here.putIfAbsent(name.substring(0, platform) + tag + "-", name);
                }
            }
            return here;
        });
    }
}
