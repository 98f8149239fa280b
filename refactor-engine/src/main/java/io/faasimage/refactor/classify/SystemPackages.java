package io.faasimage.refactor.classify;

import io.faasimage.format.tree.FilePath;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The packages in the databases of dpkg and apk, with the paths that these list. {@link OsPackages} only distinguishes
 * their files from others. For one thread.
 */
final class SystemPackages {
    private static final FilePath DPKG = new FilePath("var/lib/dpkg");
    private static final FilePath LISTS = DPKG.child("info");
    /** Google's distroless images have one file per package. */
    private static final FilePath PARTS = DPKG.child("status.d");

    private static final String SUMS = ".md5sums";

    private final RootFiles root;
    private final SortedMap<PackageId, Set<FilePath>> packages = new TreeMap<>();

    private SystemPackages(RootFiles root) {
        this.root = root;
    }

    /** The installed packages with the paths that their database lists, of whatever type. */
    static SortedMap<PackageId, Set<FilePath>> of(RootFiles root) throws IOException {
        SystemPackages all = new SystemPackages(root);
        all.readDpkg();
        all.readApk();
        return all.packages;
    }

    private void readDpkg() throws IOException {
        for (String paragraph : paragraphs(root.textOf(DPKG.child("status")))) {
            Map<String, String> fields = fields(paragraph, ": ");
            if (fields.getOrDefault("Status", "").endsWith(" installed")) {
                Optional<PackageId> id = deb(fields);
                if (id.isPresent()) {
                    add(id.get(), list(id.get()).lines());
                }
            }
        }
        for (FilePath part : root.filesBelow(PARTS)) {
            if (!part.name().endsWith(SUMS)) {
                Optional<PackageId> id = deb(fields(root.textOf(part).orElse(""), ": "));
                String sums =
                        root.bytesOf(part.parent().child(part.name() + SUMS)).orElse("");
                id.ifPresent(deb -> add(
                        deb,
                        sums.lines()
                                .map(line ->
                                        line.substring(line.indexOf(' ') + 1).strip())));
            }
        }
    }

    private static Optional<PackageId> deb(Map<String, String> fields) {
        return id("deb", fields.get("Package"), fields.get("Version"), fields.get("Architecture"));
    }

    /** A package that is installed for several architectures has a list for each. */
    private String list(PackageId deb) throws IOException {
        Optional<String> list = root.bytesOf(LISTS.child(deb.name() + ".list"));
        return list.isPresent()
                ? list.get()
                : root.bytesOf(LISTS.child(deb.name() + ":" + deb.architecture() + ".list"))
                        .orElse("");
    }

    private void readApk() throws IOException {
        for (String place : List.of("lib/apk/db/installed", "usr/lib/apk/db/installed")) {
            Optional<FilePath> database = root.resolve(place);
            if (database.isPresent()) {
                for (String paragraph : paragraphs(root.bytesOf(database.get()))) {
                    Map<String, String> fields = fields(paragraph, ":");
                    id("apk", fields.get("P"), fields.get("V"), fields.get("A"))
                            .ifPresent(apk -> add(apk, apkFiles(paragraph).stream()));
                }
            }
        }
    }

    private static List<String> apkFiles(String paragraph) {
        List<String> files = new ArrayList<>();
        String directory = "";
        for (String line : paragraph.split("\n")) {
            if (line.startsWith("F:")) {
                directory = line.substring(2);
            } else if (line.startsWith("R:")) {
                files.add(directory + "/" + line.substring(2));
            }
        }
        return files;
    }

    private static Optional<PackageId> id(
            String ecosystem, @Nullable String name, @Nullable String version, @Nullable String architecture) {
        return name == null || version == null
                ? Optional.empty()
                : Optional.of(new PackageId(ecosystem, name, version, architecture == null ? "" : architecture));
    }

    private void add(PackageId id, Stream<String> listed) {
        Set<FilePath> paths = packages.computeIfAbsent(id, _ -> new HashSet<>());
        listed.forEach(path -> OsPackages.listed(root, path).ifPresent(paths::add));
    }

    private static List<String> paragraphs(Optional<String> text) {
        return Stream.of(text.orElse("").split("\n\n+"))
                .filter(Predicate.not(String::isBlank))
                .toList();
    }

    /** The first line of each field. */
    private static Map<String, String> fields(String paragraph, String separator) {
        Map<String, String> fields = new HashMap<>();
        paragraph.lines().forEach(line -> {
            int end = line.indexOf(separator);
            if (end > 0 && !line.startsWith(" ")) {
                fields.putIfAbsent(
                        line.substring(0, end),
                        line.substring(end + separator.length()).strip());
            }
        });
        return fields;
    }
}
