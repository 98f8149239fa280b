package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.image.ImageFiles;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An installed CPython: its version, its standard library, and the directories of libraries.
 *
 * @param minor version of Python 3
 * @param standard directory of the standard library
 * @param sites existing directories of libraries, in the order of {@code sys.path}
 * @param settings the {@code pyvenv.cfg} of a virtual environment
 * @see <a href="https://docs.python.org/3/library/site.html">site</a>
 */
record PythonInstallation(int minor, String standard, List<String> sites, Optional<ImageEntry.File> settings) {
    private static final Pattern NAME = Pattern.compile("python3\\.(\\d{1,2})");
    private static final Pattern HOME = Pattern.compile("(?m)^\\s*home\\s*=\\s*(\\S+)");
    private static final Pattern SYSTEM_SITES = Pattern.compile("(?mi)^\\s*include-system-site-packages\\s*=\\s*true");

    /** See {@code Tools/build/freeze_modules.py} of CPython. */
    private static final Set<String> FROZEN = Set.of(
            "abc",
            "codecs",
            "io",
            "_collections_abc",
            "_sitebuiltins",
            "genericpath",
            "ntpath",
            "posixpath",
            "os",
            "os.path",
            "site",
            "stat",
            "importlib.util",
            "importlib.machinery",
            "runpy");

    PythonInstallation {
        sites = List.copyOf(sites);
    }

    /** The one that a program file belongs to, started as {@code command}. */
    static Optional<PythonInstallation> of(Reads reads, ImageEntry.File program, Invocation command)
            throws IOException {
        String called = command.program();
        String binaries = called.contains("/") ? called.substring(0, called.lastIndexOf('/')) : program.directory();
        Optional<ImageEntry.File> settings = reads.files()
                .file(binaries + "/pyvenv.cfg")
                .or(() -> reads.files().file(binaries + "/../pyvenv.cfg"));
        Optional<String> text = settings.isPresent() ? reads.text(settings.get()) : Optional.empty();
        String home = program.directory();
        if (text.isPresent()) {
            Matcher matcher = HOME.matcher(text.get());
            home = matcher.find() ? matcher.group(1) : home;
        }
        String start = reads.files().directory(home).isPresent() ? home : program.directory();
        Optional<String> standard =
                standard(reads.files(), start, program.path().name());
        if (standard.isEmpty()) {
            return Optional.empty();
        }
        int minor = minor(standard.get()).orElse(0);
        Set<String> sites = new LinkedHashSet<>();
        if (text.isPresent()) {
            sites.add(binaries.substring(0, Math.max(0, binaries.lastIndexOf('/'))) + "/lib/python3." + minor
                    + "/site-packages");
        }
        if (text.isEmpty() || SYSTEM_SITES.matcher(text.get()).find()) {
            sites.addAll(systemSites(standard.get(), minor, command.variable("HOME")));
        }
        List<String> existing = sites.stream()
                .filter(site -> reads.files().directory(site).isPresent())
                .toList();
        return Optional.of(new PythonInstallation(minor, standard.get(), existing, settings));
    }

    private static List<String> systemSites(String standard, int minor, String home) {
        String version = "python3." + minor;
        String user = home.isEmpty() ? "/home/app" : home;
        return List.of(
                user + "/.local/lib/" + version + "/site-packages",
                // Debian's own places.
                "/usr/local/lib/" + version + "/dist-packages",
                standard + "/site-packages",
                "/usr/lib/python3/dist-packages",
                standard + "/dist-packages");
    }

    private static Optional<String> standard(ImageFiles files, String directory, String program) {
        String at = directory;
        while (!at.isEmpty()) {
            at = at.substring(0, Math.max(0, at.lastIndexOf('/')));
            for (String version : versions(files, at + "/lib", program)) {
                String library = at + "/lib/" + version;
                if (files.file(library + "/os.py").isPresent()
                        || files.file(library + "/os.pyc").isPresent()) {
                    return Optional.of(library);
                }
            }
        }
        return Optional.empty();
    }

    private static List<String> versions(ImageFiles files, String directory, String program) {
        List<String> versions = new ArrayList<>();
        if (NAME.matcher(program).matches()) {
            versions.add(program);
        } else {
            files.directory(directory).stream()
                    .flatMap(path -> files.names(path).stream())
                    .filter(name -> NAME.matcher(name).matches())
                    .sorted((a, b) -> minor(b).orElse(0) - minor(a).orElse(0))
                    .forEach(versions::add);
        }
        return versions;
    }

    private static Optional<Integer> minor(String path) {
        Matcher matcher = NAME.matcher(path);
        Optional<Integer> last = Optional.empty();
        while (matcher.find()) {
            last = Optional.of(Integer.parseInt(matcher.group(1)));
        }
        return last;
    }

    /** {@code sys.path} behind the program's own directory. */
    List<String> searchPath(String pythonPath) {
        List<String> path = new ArrayList<>();
        Arrays.stream(pythonPath.split(":")).filter(entry -> !entry.isEmpty()).forEach(path::add);
        path.add(standard);
        path.add(standard + "/lib-dynload");
        path.addAll(sites);
        return path;
    }

    /** Whether a file came with Python or is of a library. */
    boolean owns(String file) {
        return file.startsWith(standard + "/") || sites.stream().anyMatch(site -> file.startsWith(site + "/"));
    }

    /** Whether a module is in the program file itself. */
    boolean isFrozen(String module) {
        return module.equals("zipimport")
                || module.startsWith("importlib._bootstrap")
                || (minor >= 11 && FROZEN.contains(module));
    }
}
