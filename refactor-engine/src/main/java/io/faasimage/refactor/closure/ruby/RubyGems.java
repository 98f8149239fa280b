package io.faasimage.refactor.closure.ruby;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.image.ImageFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The installed gems with their directories of code. For one thread. */
final class RubyGems {
    private static final List<String> SUFFIXES = List.of(".rb", ".so");

    private final ImageFiles files;
    private final List<Gem> gems = new ArrayList<>();
    private final Set<String> gemNames = new HashSet<>();
    private final Map<String, Optional<Found>> found = new HashMap<>();

    /**
     * One gem.
     *
     * @param specification file that describes it
     * @param places where its code is
     */
    record Gem(ImageEntry.File specification, List<String> places) {}

    /** A feature and the gem that it is in. */
    record Found(ImageEntry.File file, Gem gem) {}

    /** The gems of these directories, the highest version of each first. */
    RubyGems(ImageFiles files, List<String> directories) {
        this.files = files;
        for (String directory : directories) {
            List<String> names = files.directory(directory + "/specifications")
                    .map(files::names)
                    .orElse(List.of());
            for (String name : names.reversed()) {
                Optional<ImageEntry.File> file = name.endsWith(".gemspec")
                        ? files.file(directory + "/specifications/" + name)
                        : Optional.empty();
                if (file.isPresent()) {
                    String full = name.substring(0, name.length() - ".gemspec".length());
                    gemNames.add(full.replaceFirst("-\\d.*", ""));
                    gems.add(new Gem(file.get(), places(directory, full)));
                }
            }
        }
    }

    private List<String> places(String directory, String name) {
        List<String> places = new ArrayList<>();
        for (String platform : names(directory + "/extensions")) {
            for (String version : names(directory + "/extensions/" + platform)) {
                places.add(directory + "/extensions/" + platform + "/" + version + "/" + name);
            }
        }
        places.add(directory + "/gems/" + name + "/lib");
        places.removeIf(place -> files.directory(place).isEmpty());
        return places;
    }

    private List<String> names(String directory) {
        return files.directory(directory).map(files::names).orElse(List.of());
    }

    /** The file of a feature that a gem has. */
    Optional<Found> find(String feature) {
        return found.computeIfAbsent(feature, this::search);
    }

    private Optional<Found> search(String feature) {
        Set<String> suffixes = feature.endsWith(".rb") || feature.endsWith(".so") ? Set.of("") : Set.of();
        for (Gem gem : gems) {
            for (String place : gem.places()) {
                for (String suffix : suffixes.isEmpty() ? SUFFIXES : suffixes) {
                    Optional<ImageEntry.File> file = files.file(place + "/" + feature + suffix);
                    if (file.isPresent()) {
                        return Optional.of(new Found(file.get(), gem));
                    }
                }
            }
        }
        return Optional.empty();
    }

    /** Whether a gem of this name is installed. */
    boolean has(String name) {
        return gemNames.contains(name);
    }

    /** The descriptions of all gems. */
    List<ImageEntry.File> specifications() {
        return gems.stream().map(Gem::specification).toList();
    }
}
