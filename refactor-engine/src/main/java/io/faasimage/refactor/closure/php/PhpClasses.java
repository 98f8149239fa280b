package io.faasimage.refactor.closure.php;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.image.ImageFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The classes that autoloaders know: those of Composer, from its generated tables, and those of the tool phpab, which
 * Debian's packages use. For one thread.
 */
final class PhpClasses {
    /** A key and a path below the directory of the table; of Composer. */
    private static final Pattern COMPOSER = Pattern.compile(
            "'([^']{1,300})'\\s*=>\\s*(?:array\\s*\\(|\\[)?\\s*(?:0\\s*=>\\s*)?__DIR__\\s*\\.\\s*'([^']{0,300})'"
                    + "(?:\\s*\\.\\s*'([^']{0,300})')?");
    /** A class and a path below the directory of the table; of phpab. */
    private static final Pattern PHPAB = Pattern.compile("'([\\w\\\\]{1,300})'\\s*=>\\s*'(/[^']{1,300}\\.php)'");

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{32}");
    private static final int MAX_CLASSES = 200_000;

    private final ImageFiles files;
    private final Map<String, String> classes = new HashMap<>();
    private final Map<String, List<String>> namespaces = new HashMap<>();

    PhpClasses(ImageFiles files) {
        this.files = files;
    }

    /** Adds the classes of a table; gives the files that it always includes. */
    List<String> addTable(String directory, String text) {
        List<String> always = new ArrayList<>();
        Matcher composer = COMPOSER.matcher(text);
        while (composer.find() && classes.size() < MAX_CLASSES) {
            String key = composer.group(1).replace("\\\\", "\\").toLowerCase(Locale.ROOT);
            String path = directory + composer.group(2) + (composer.group(3) == null ? "" : composer.group(3));
            if (HASH.matcher(key).matches()) {
                always.add(path);
            } else if (key.endsWith("\\") || !path.endsWith(".php")) {
                namespaces.computeIfAbsent(key, k -> new ArrayList<>()).add(path);
            } else {
                classes.putIfAbsent(key, path);
            }
        }
        Matcher phpab = PHPAB.matcher(text);
        while (phpab.find() && classes.size() < MAX_CLASSES) {
            classes.putIfAbsent(
                    phpab.group(1).replace("\\\\", "\\").toLowerCase(Locale.ROOT), directory + phpab.group(2));
        }
        return always;
    }

    /** The file of a class; names of files are looked for without regard to case, as the class's is not known. */
    Optional<ImageEntry.File> find(String name) {
        String path = classes.get(name);
        if (path != null) {
            return files.file(path);
        }
        for (int end = name.lastIndexOf('\\'); end > 0; end = name.lastIndexOf('\\', end - 1)) {
            for (String directory : namespaces.getOrDefault(name.substring(0, end + 1), List.of())) {
                Optional<ImageEntry.File> file = below(directory, name.substring(end + 1) + ".php");
                if (file.isPresent()) {
                    return file;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<ImageEntry.File> below(String directory, String relative) {
        String at = directory;
        for (String part : relative.split("\\\\")) {
            Optional<String> name = files.directory(at).stream()
                    .flatMap(path -> files.names(path).stream())
                    .filter(part::equalsIgnoreCase)
                    .findFirst();
            if (name.isEmpty()) {
                return Optional.empty();
            }
            at = at + "/" + name.get();
        }
        return files.file(at);
    }
}
