package io.faasimage.refactor.closure.php;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The settings of a PHP: its files, which a start reads in full, and what they say about extensions and included files.
 *
 * @param extensions files of extensions
 * @param includePath directories of files that are included by a plain name
 * @param prepended files that are included before a script
 */
record PhpSettings(List<ImageEntry.File> extensions, List<String> includePath, List<String> prepended) {
    private static final int MAX_LINES = 100_000;

    /** Reads those of a program called {@code name}, for example php8.2 or php-fpm. */
    static PhpSettings read(Reads reads, Invocation command, String name) throws IOException {
        Collector collector = new Collector(reads, command);
        String kind = name.contains("fpm") ? "fpm" : "cli";
        collector.file(command.variable("PHPRC") + "/php.ini");
        collector.file("/usr/local/etc/php/php.ini");
        collector.directory("/usr/local/etc/php/conf.d");
        for (String version : collector.names("/etc/php")) {
            // /usr/bin/php is a link to the program of the version.
            if (!name.matches(".*\\d\\.\\d.*") || name.contains(version)) {
                collector.file("/etc/php/" + version + "/" + kind + "/php.ini");
                collector.directory("/etc/php/" + version + "/" + kind + "/conf.d");
            }
        }
        for (String directory : collector.names("/etc")) {
            if (directory.matches("php\\d*")) {
                collector.file("/etc/" + directory + "/php.ini");
                collector.directory("/etc/" + directory + "/conf.d");
            }
        }
        if (!command.variable("PHP_INI_SCAN_DIR").isEmpty()) {
            for (String directory : command.variable("PHP_INI_SCAN_DIR").split(":")) {
                collector.directory(directory);
            }
        }
        if (kind.equals("fpm")) {
            collector.file("/usr/local/etc/php-fpm.conf");
            collector.directory("/usr/local/etc/php-fpm.d");
        }
        return collector.settings();
    }

    /** What was read so far. */
    private static final class Collector {
        private final Reads reads;
        private final Invocation command;
        private final Set<String> extensions = new LinkedHashSet<>();
        private final Set<String> prepended = new LinkedHashSet<>();
        private final List<String> directories = new ArrayList<>();
        private List<String> includePath = List.of("/usr/share/php", "/usr/local/lib/php");

        Collector(Reads reads, Invocation command) {
            this.reads = reads;
            this.command = command;
        }

        List<String> names(String directory) {
            return reads.files().directory(directory).map(reads.files()::names).orElse(List.of());
        }

        void directory(String directory) throws IOException {
            for (String name : names(directory)) {
                if (name.endsWith(".ini") || name.endsWith(".conf")) {
                    file(directory + "/" + name);
                }
            }
        }

        void file(String path) throws IOException {
            Optional<ImageEntry.File> file = reads.files().file(path);
            if (file.isEmpty()) {
                return;
            }
            reads.add(file.get(), ClosureReason.CONFIGURATION, command.by(), command.confidence());
            reads.text(file.get()).orElse("").lines().limit(MAX_LINES).forEach(this::line);
        }

        private void line(String line) {
            int equals = line.indexOf('=');
            if (equals < 0 || line.stripLeading().startsWith(";")) {
                return;
            }
            String value = line.substring(equals + 1)
                    .replaceFirst("\\s;.*", "")
                    .strip()
                    .replaceAll("^[\"']|[\"']$", "");
            switch (line.substring(0, equals).strip()) {
                case "extension", "zend_extension" -> extensions.add(value);
                case "extension_dir" -> directories.add(value);
                case "include_path" -> includePath = List.of(value.split(":"));
                case "auto_prepend_file" -> prepended.add(value);
                default -> {
                    // Settings that name no files.
                }
            }
        }

        PhpSettings settings() {
            for (String parent : List.of("/usr/local/lib/php/extensions", "/usr/lib/php")) {
                names(parent).forEach(name -> directories.add(parent + "/" + name));
            }
            names("/usr/lib").stream()
                    .filter(name -> name.matches("php\\d+"))
                    .forEach(name -> directories.add("/usr/lib/" + name + "/modules"));
            List<ImageEntry.File> found = extensions.stream()
                    .filter(name -> !name.isEmpty())
                    .flatMap(name -> extension(name).stream())
                    .toList();
            return new PhpSettings(found, includePath, List.copyOf(prepended));
        }

        private Optional<ImageEntry.File> extension(String name) {
            String file = name.endsWith(".so") ? name : name + ".so";
            return file.startsWith("/")
                    ? reads.files().file(file)
                    : directories.stream()
                            .flatMap(directory -> reads.files().file(directory + "/" + file).stream())
                            .findFirst();
        }
    }
}
