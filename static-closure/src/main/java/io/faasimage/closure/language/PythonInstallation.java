package io.faasimage.closure.language;

import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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
    private static final Pattern VERSION = Pattern.compile("python3\\.(\\d{1,2})");
    private static final Pattern HOME = Pattern.compile("(?m)^home[ \\t]*=[ \\t]*(\\S+)");
    private static final Pattern SYSTEM_SITES =
            Pattern.compile("(?mi)^include-system-site-packages[ \\t]*=[ \\t]*true");
    /** See {@code Tools/build/freeze_modules.py} of CPython. */
    private static final Set<String> FROZEN = Set.of(("abc codecs io _collections_abc _sitebuiltins genericpath ntpath"
                    + " posixpath os os.path site stat importlib.util importlib.machinery runpy")
            .split(" "));

    /** The one that a program belongs to. */
    static Optional<PythonInstallation> of(ProgramStart start) throws IOException {
        ImageFiles files = start.files();
        String called = start.command().program();
        String home = start.program().directory();
        String binaries = called.contains("/") ? called.substring(0, called.lastIndexOf('/')) : home;
        Optional<ImageEntry.File> settings =
                files.first(Stream.of(binaries + "/pyvenv.cfg", binaries + "/../pyvenv.cfg"));
        String text = settings.isPresent() ? start.reads().text(settings.get()) : "";
        Matcher matcher = HOME.matcher(text);
        if (matcher.find() && files.directory(matcher.group(1)).isPresent()) {
            home = matcher.group(1);
        }
        Optional<String> standard = standard(files, home, start.program().path().name());
        if (standard.isEmpty()) {
            return Optional.empty();
        }
        int minor = minor(standard.get());
        Set<String> sites = new LinkedHashSet<>();
        if (!text.isEmpty()) {
            sites.add(binaries + "/../lib/python3." + minor + "/site-packages");
        }
        if (text.isEmpty() || SYSTEM_SITES.matcher(text).find()) {
            sites.addAll(systemSites(standard.get(), minor, start.command().variable("HOME")));
        }
        // Without links and dots, as the paths of modules are compared with these.
        List<String> existing = sites.stream()
                .flatMap(site -> files.directory(site).stream())
                .map(site -> "/" + site.raw())
                .toList();
        return Optional.of(new PythonInstallation(minor, standard.get(), existing, settings));
    }

    private static List<String> systemSites(String standard, int minor, String home) {
        String version = "/python3." + minor;
        return List.of(
                (home.isEmpty() ? "/home/app" : home) + "/.local/lib" + version + "/site-packages",
                // Debian's own places.
                "/usr/local/lib" + version + "/dist-packages",
                standard + "/site-packages",
                "/usr/lib/python3/dist-packages",
                standard + "/dist-packages");
    }

    private static Optional<String> standard(ImageFiles files, String directory, String program) {
        String at = directory;
        while (!at.isEmpty()) {
            at = at.substring(0, Math.max(0, at.lastIndexOf('/')));
            String library = at + "/lib/";
            Stream<String> versions = VERSION.matcher(program).matches()
                    ? Stream.of(program)
                    : files.names(library).stream()
                            .filter(name -> VERSION.matcher(name).matches());
            Optional<String> found = versions.sorted((a, b) -> minor(b) - minor(a))
                    .map(version -> library + version)
                    .filter(place -> files.first(Stream.of(place + "/os.py", place + "/os.pyc"))
                            .isPresent())
                    .findFirst();
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static int minor(String path) {
        return VERSION.matcher(path)
                .results()
                .map(match -> Integer.parseInt(match.group(1)))
                .reduce(0, (a, b) -> b);
    }

    /** Whether a file came with Python or is of a library. */
    boolean owns(String file) {
        return Stream.concat(Stream.of(standard), sites.stream()).anyMatch(place -> file.startsWith(place + "/"));
    }

    /** Whether a module is in the program file itself. */
    boolean isFrozen(String module) {
        return module.equals("zipimport")
                || module.startsWith("importlib._bootstrap")
                || (minor >= 11 && FROZEN.contains(module));
    }
}
