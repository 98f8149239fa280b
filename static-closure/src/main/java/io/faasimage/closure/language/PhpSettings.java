package io.faasimage.closure.language;

import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The settings of a PHP about extensions and included files, from its files, which a start reads in full. */
final class PhpSettings {
    private static final int MAX_LINES = 100_000;

    private final ProgramStart start;
    private final ImageFiles files;
    private final Set<String> extensions = new LinkedHashSet<>();
    private final Set<String> directories = new LinkedHashSet<>();
    private List<String> includePath = List.of("/usr/share/php", "/usr/local/lib/php");

    PhpSettings(ProgramStart start) {
        this.start = start;
        this.files = start.files();
    }

    /** Adds the settings and the extensions that they name. */
    void load() throws IOException {
        String name = start.program().path().name();
        String kind = name.contains("fpm") ? "fpm" : "cli";
        List<String> places = new ArrayList<>(List.of("/usr/local/etc/php"));
        for (String version : files.names("/etc/php")) {
            // /usr/bin/php is a link to the program of the version.
            if (name.contains(version) || !name.contains(".")) {
                places.add("/etc/php/" + version + "/" + kind);
            }
        }
        for (String directory : files.names("/etc")) {
            if (directory.matches("php\\d+")) {
                places.add("/etc/" + directory);
                directories.add("/usr/lib/" + directory + "/modules");
            }
        }
        for (String place : places) {
            file(place + "/php.ini");
            for (String ini : files.names(place + "/conf.d")) {
                file(place + "/conf.d/" + ini);
            }
        }
        for (String parent : List.of("/usr/local/lib/php/extensions", "/usr/lib/php")) {
            files.names(parent).forEach(version -> directories.add(parent + "/" + version));
        }
        for (String extension : extensions) {
            String file = extension.endsWith(".so") ? extension : extension + ".so";
            Optional<ImageEntry.File> found = file.startsWith("/")
                    ? files.file(file)
                    : files.first(directories.stream().map(directory -> directory + "/" + file));
            if (found.isPresent()) {
                start.reads().add(found.get(), start.program().name(), start.confidence());
                start.libraries().load(found.get(), start.confidence());
            }
        }
    }

    private void file(String path) throws IOException {
        Optional<ImageEntry.File> file = files.file(path);
        if (file.isPresent()) {
            start.reads().add(file.get(), start.program().name(), start.confidence());
            start.reads().text(file.get()).lines().limit(MAX_LINES).forEach(this::line);
        }
    }

    private void line(String line) {
        int equals = line.indexOf('=');
        if (equals < 0 || line.stripLeading().startsWith(";")) {
            return;
        }
        String rest = line.substring(equals + 1);
        String value = rest.substring(0, (rest + ";").indexOf(';'))
                .replaceAll("[\"']", "")
                .strip();
        switch (line.substring(0, equals).strip()) {
            case "extension", "zend_extension" -> extensions.add(value);
            case "extension_dir" -> directories.add(value);
            case "include_path" -> includePath = Arrays.asList(value.split(":"));
            default -> {
                // Names no file.
            }
        }
    }

    /** Directories of files that are included by a plain name. */
    List<String> includePath() {
        return includePath;
    }
}
