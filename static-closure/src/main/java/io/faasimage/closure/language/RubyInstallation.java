package io.faasimage.closure.language;

import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * An installed Ruby with its gems: the directories in which it looks for features. They are found by their names below
 * the places where Ruby and its package managers keep them. For one thread.
 */
final class RubyInstallation {
    /** Below which there are directories of code and of specifications. */
    private static final List<String> PLACES = List.of(
            "/usr/local/lib/ruby",
            "/usr/lib/ruby",
            "/opt/ruby/lib/ruby",
            "/usr/local/bundle",
            "/var/lib/gems",
            "/usr/share/rubygems-integration");

    private static final int MAX_DEPTH = 6;
    private static final int MAX_DIRECTORIES = 20_000;

    private final ImageFiles files;
    private final List<String> path = new ArrayList<>();
    private final Set<String> specifications = new LinkedHashSet<>();
    private final Set<String> gems = new HashSet<>();
    private final Map<String, Optional<ImageEntry.File>> found = new HashMap<>();

    private record Place(String directory, int depth) {}

    RubyInstallation(ProgramStart start) {
        this.files = start.files();
        Set<String> places = new LinkedHashSet<>(List.of(start.program().directory() + "/../lib/ruby"));
        places.addAll(PLACES);
        for (String triplet : files.names("/usr/lib")) {
            if (triplet.contains("-linux-")) {
                places.add("/usr/lib/" + triplet + "/ruby");
                places.add("/usr/lib/" + triplet + "/rubygems-integration");
            }
        }
        for (String variable : List.of("GEM_HOME", "GEM_PATH", "BUNDLE_PATH")) {
            places.addAll(Arrays.asList(start.command().variable(variable).split(":")));
        }
        places.add(start.command().directory() + "/vendor/bundle");
        path.addAll(Arrays.asList(start.command().variable("RUBYLIB").split(":")));
        Deque<Place> todo = new ArrayDeque<>();
        places.stream()
                .flatMap(place -> files.directory(place).stream())
                .distinct()
                .forEach(place -> todo.add(new Place("/" + place.raw(), 0)));
        for (int done = 0; done < MAX_DIRECTORIES && !todo.isEmpty(); done++) {
            look(todo.poll(), todo);
        }
        path.removeIf(String::isEmpty);
        path.sort(Comparator.comparingInt(
                place -> place.contains("/site_ruby") ? 0 : place.contains("/vendor_ruby") ? 1 : 2));
    }

    private void look(Place place, Deque<Place> todo) {
        for (String name : files.names(place.directory)) {
            String inside = place.directory + "/" + name;
            if (name.endsWith(".gemspec")) {
                specifications.add(inside);
                gems.add(name.replaceFirst("-\\d.*", ""));
            } else if (name.matches("lib|site_ruby|vendor_ruby|\\d+\\.\\d+\\.\\d+|.*-linux.*")
                    || inside.matches(".*/extensions/[^/]+/[^/]+/[^/]+")) {
                path.add(inside);
            }
            if (place.depth < MAX_DEPTH
                    && !name.equals("lib")
                    && !name.contains(".rb")
                    && files.directory(inside).isPresent()) {
                todo.add(new Place(inside, place.depth + 1));
            }
        }
    }

    /** Whether a gem of this name is installed. */
    boolean hasGem(String name) {
        return gems.contains(name);
    }

    /** The descriptions of all gems. */
    Set<String> specifications() {
        return specifications;
    }

    /** Looks in this directory first. */
    void addPlace(String directory) {
        path.addFirst(directory);
        found.clear();
    }

    /** Whether a file came with Ruby or is of a gem. */
    boolean owns(String file) {
        return file.startsWith("/usr/") || path.stream().anyMatch(place -> file.startsWith(place + "/"));
    }

    /** The file of a feature. */
    Optional<ImageEntry.File> find(String feature) {
        return found.computeIfAbsent(
                feature,
                name -> name.startsWith("/")
                        ? withSuffix(name)
                        : path.stream()
                                .flatMap(place -> withSuffix(place + "/" + name).stream())
                                .findFirst());
    }

    /** The file at a path that may be without its suffix. */
    Optional<ImageEntry.File> withSuffix(String path) {
        return path.endsWith(".rb") || path.endsWith(".so")
                ? files.file(path)
                : files.first(Stream.of(path + ".rb", path + ".so"));
    }
}
