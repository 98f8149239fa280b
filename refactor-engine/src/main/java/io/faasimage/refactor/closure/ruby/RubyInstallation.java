package io.faasimage.refactor.closure.ruby;

import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.reads.Invocation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An installed Ruby: where it looks for its own files and for gems.
 *
 * @param version of its interface, for example 3.1.0
 * @param loadPath existing directories, the variable {@code RUBYLIB} first
 * @param gemDirectories existing directories with specifications of gems
 */
record RubyInstallation(String version, List<String> loadPath, List<String> gemDirectories) {
    private static final List<String> PREFIXES = List.of("/usr/local/lib", "/usr/lib", "/opt/ruby/lib");

    RubyInstallation {
        loadPath = List.copyOf(loadPath);
        gemDirectories = List.copyOf(gemDirectories);
    }

    static Optional<RubyInstallation> of(ImageFiles files, String program, Invocation command) {
        String prefix = program.substring(0, Math.max(0, program.indexOf("/bin/"))) + "/lib";
        Set<String> prefixes = new LinkedHashSet<>(List.of(prefix));
        prefixes.addAll(PREFIXES);
        for (String place : prefixes) {
            Optional<String> version = version(files, place);
            if (version.isPresent()) {
                return Optional.of(new RubyInstallation(
                        version.get(),
                        loadPath(files, version.get(), prefixes, command),
                        gems(files, version.get(), prefixes, command)));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> version(ImageFiles files, String prefix) {
        return names(files, prefix + "/ruby").stream()
                .filter(name -> name.matches("\\d+\\.\\d+\\.\\d+"))
                .filter(name -> files.directory(prefix + "/ruby/" + name).isPresent())
                .max((a, b) -> Arrays.compare(numbers(a), numbers(b)));
    }

    private static int[] numbers(String version) {
        return Arrays.stream(version.split("\\."))
                .mapToInt(part -> part.length() > 6 ? Integer.MAX_VALUE : Integer.parseInt(part))
                .toArray();
    }

    private static List<String> names(ImageFiles files, String directory) {
        return files.directory(directory).map(files::names).orElse(List.of());
    }

    private static List<String> loadPath(ImageFiles files, String version, Set<String> prefixes, Invocation command) {
        Set<String> path =
                new LinkedHashSet<>(Arrays.asList(command.variable("RUBYLIB").split(":")));
        for (String kind : List.of("site_ruby", "vendor_ruby", "")) {
            for (String prefix : prefixes) {
                String base = prefix + "/ruby" + (kind.isEmpty() ? "" : "/" + kind);
                add(files, path, base + "/" + version);
                // Debian has the files of the architecture, and those of the site, below a directory of their own.
                names(files, prefix).stream()
                        .filter(name -> name.contains("-linux"))
                        .forEach(name -> {
                            add(files, path, prefix + "/" + name + "/ruby/" + kind + "/" + version);
                            add(files, path, prefix + "/" + name + "/" + kind + "/" + version);
                        });
                add(files, path, prefix + "/" + kind + "/" + version);
                if (!kind.isEmpty()) {
                    add(files, path, base);
                    add(files, path, prefix + "/" + kind);
                }
            }
        }
        path.removeIf(place -> place.isEmpty() || files.directory(place).isEmpty());
        return new ArrayList<>(path);
    }

    private static void add(ImageFiles files, Set<String> path, String directory) {
        path.add(directory);
        names(files, directory).stream()
                .filter(name -> name.contains("-linux"))
                .forEach(name -> path.add(directory + "/" + name));
    }

    private static List<String> gems(ImageFiles files, String version, Set<String> prefixes, Invocation command) {
        Set<String> places = new LinkedHashSet<>();
        for (String variable : List.of("GEM_HOME", "GEM_PATH", "BUNDLE_PATH")) {
            for (String place : command.variable(variable).split(":")) {
                places.add(place);
                places.add(place + "/ruby/" + version);
            }
        }
        places.add(command.directory() + "/vendor/bundle/ruby/" + version);
        prefixes.forEach(prefix -> places.add(prefix + "/ruby/gems/" + version));
        names(files, "/usr/lib").stream()
                .filter(name -> name.contains("-linux"))
                .forEach(name -> {
                    places.add("/usr/lib/" + name + "/ruby/gems/" + version);
                    places.add("/usr/lib/" + name + "/rubygems-integration/" + version);
                });
        places.addAll(List.of(
                "/usr/local/bundle",
                "/var/lib/gems/" + version,
                "/usr/share/rubygems-integration/" + version,
                "/usr/share/rubygems-integration/all"));
        return places.stream()
                .map(place -> files.directory(place).map(FilePath::raw).map(raw -> "/" + raw))
                .flatMap(Optional::stream)
                .distinct()
                .filter(place -> files.directory(place + "/specifications").isPresent())
                .toList();
    }
}
