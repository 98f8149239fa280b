package io.faasimage.refactor.closure.python;

import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.closure.elf.SharedLibraries;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import io.faasimage.refactor.closure.runtime.LanguageRuntime;
import io.faasimage.refactor.closure.runtime.NamedFiles;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** CPython: its own start, {@code .pth} files and {@code sitecustomize}, and the program's imports. */
public final class PythonRuntime implements LanguageRuntime {
    private static final Pattern NAME = Pattern.compile("python(3(\\.\\d+)?)?");
    private static final Set<String> WITH_VALUE = Set.of("-W", "-X", "--check-hash-based-pycs");
    /** For example of gunicorn: {@code app:application}; of Lambda's client: {@code handler.handle}. */
    private static final Pattern OBJECT = Pattern.compile("([A-Za-z_][\\w.]*)[:.][A-Za-z_]\\w*(\\(\\))?");

    private static final double OPTIONAL = 0.95;
    private static final double NAMED = 0.9;
    private static final double SEARCHED = 0.3;
    private static final List<String> DOCUMENTS =
            List.of("METADATA", "PKG-INFO", "RECORD", "entry_points.txt", "top_level.txt");
    private static final int MAX_LINES = 1000;

    private final Reads reads;

    /** Adds to these reads. */
    public PythonRuntime(Reads reads) {
        this.reads = reads;
    }

    @Override
    public boolean runs(String name) {
        return NAME.matcher(name).matches();
    }

    @Override
    public void start(ImageEntry.File program, Invocation command, SharedLibraries libraries) throws IOException {
        Optional<PythonInstallation> installation = PythonInstallation.of(reads, program, command);
        if (installation.isEmpty()) {
            reads.note(program.path() + " has no standard library in the image");
            return;
        }
        new Start(program, command, installation.get(), libraries).start();
    }

    /** One start. */
    private final class Start {
        private final ImageEntry.File program;
        private final Invocation command;
        private final PythonInstallation installation;
        private final PythonFinder finder;
        private final PythonModules modules;
        private final double confidence;

        Start(ImageEntry.File program, Invocation command, PythonInstallation installation, SharedLibraries libraries) {
            this.program = program;
            this.command = command;
            this.installation = installation;
            this.confidence = command.confidence();
            this.finder = new PythonFinder(
                    reads.files(), installation.minor(), installation.searchPath(command.variable("PYTHONPATH")));
            this.modules = new PythonModules(reads, installation, finder, libraries, new NamedFiles(reads, command));
        }

        void start() throws IOException {
            installation
                    .settings()
                    .ifPresent(file -> reads.add(file, ClosureReason.RUNTIME, program.name(), confidence));
            for (String module : List.of("encodings", "encodings.aliases", "encodings.utf_8", "codecs", "io", "os")) {
                modules.add(module, program.name(), confidence);
            }
            modules.add("site", program.name(), confidence);
            for (String module : List.of("_collections_abc", "_sitebuiltins")) {
                modules.add(module, program.name(), confidence);
            }
            for (String site : installation.sites()) {
                Optional<FilePath> directory = reads.files().directory(site);
                if (directory.isPresent()) {
                    pathFiles(site, reads.files().names(directory.get()));
                }
            }
            for (String system : List.of("/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd")) {
                reads.add(system, ClosureReason.CONFIGURATION, program.name(), confidence * NAMED);
            }
            modules.add("sitecustomize", program.name(), confidence * OPTIONAL);
            modules.add("usercustomize", program.name(), confidence * OPTIONAL);
            arguments();
            metadata(installation.sites());
        }

        /** The documents of installed distributions, which {@code importlib.metadata} searches, as does setuptools. */
        private void metadata(List<String> places) {
            double searched = modules.confidence("importlib.metadata", "pkg_resources");
            for (String place : places) {
                List<String> names =
                        reads.files().directory(place).map(reads.files()::names).orElse(List.of());
                for (String name : names) {
                    if (name.endsWith(".dist-info") || name.endsWith(".egg-info")) {
                        for (String document : DOCUMENTS) {
                            reads.add(
                                    place + "/" + name + "/" + document,
                                    ClosureReason.DATA,
                                    "importlib.metadata",
                                    searched * SEARCHED);
                        }
                    }
                }
            }
        }

        private void pathFiles(String site, List<String> names) throws IOException {
            for (String name : names) {
                Optional<ImageEntry.File> file =
                        name.endsWith(".pth") ? reads.files().file(site + "/" + name) : Optional.empty();
                if (file.isEmpty()) {
                    continue;
                }
                reads.add(file.get(), ClosureReason.RUNTIME, program.name(), confidence);
                List<String> lines = reads.text(file.get())
                        .orElse("")
                        .lines()
                        .limit(MAX_LINES)
                        .toList();
                for (String line : lines) {
                    if (line.startsWith("import ") || line.startsWith("import\t")) {
                        modules.text(line, file.get().name(), confidence * OPTIONAL);
                    } else if (!line.isBlank() && !line.startsWith("#")) {
                        finder.addPlace(line.startsWith("/") ? line.strip() : site + "/" + line.strip(), false);
                    }
                }
            }
        }

        private void arguments() throws IOException {
            List<String> words = command.arguments();
            int at = 0;
            while (at < words.size()
                    && words.get(at).startsWith("-")
                    && words.get(at).length() > 1) {
                String word = words.get(at);
                boolean last = word.endsWith("m") || word.endsWith("c");
                if (last && !word.startsWith("--") && at + 1 < words.size()) {
                    finder.addPlace(command.directory(), true);
                    text(word.charAt(word.length() - 1), words.get(at + 1));
                    objects(words.subList(at + 2, words.size()));
                    return;
                }
                at += WITH_VALUE.contains(word) ? 2 : 1;
            }
            if (at < words.size()) {
                script(words.get(at));
                objects(words.subList(at + 1, words.size()));
            }
        }

        private void text(char kind, String value) throws IOException {
            if (kind == 'c') {
                modules.text(value, command.by(), confidence);
                return;
            }
            modules.add("runpy", program.name(), confidence);
            Optional<String> main = finder.find(value).map(module -> module.isPackage() ? value + ".__main__" : value);
            if (main.isPresent() && modules.add(main.get(), program.name(), confidence)) {
                Optional<ImageEntry.File> file = finder.find(main.get()).flatMap(PythonModule::file);
                if (file.isPresent() && file.get().name().endsWith(".py")) {
                    modules.main(file.get(), PythonModule.parentOf(main.get()), confidence);
                }
            }
        }

        private void script(String name) throws IOException {
            String path = command.absolute(name);
            if (reads.files().directory(path).isPresent()) {
                finder.addPlace(path, true);
                path = path + "/__main__.py";
            }
            Optional<ImageEntry.File> file = reads.files().file(path);
            if (file.isEmpty()) {
                reads.note("the Python program " + name + " is not in the image");
                return;
            }
            finder.addPlace(file.get().directory(), true);
            reads.add(file.get(), ClosureReason.PROGRAM, command.by(), confidence);
            // Servers that take names of objects import from there; so do scripts that prepend such a directory.
            modules.main(file.get(), "", confidence);
        }

        /** Words that name an object of a module of the function. */
        private void objects(List<String> words) throws IOException {
            for (String word : words) {
                Matcher matcher = OBJECT.matcher(word);
                if (matcher.matches()) {
                    finder.addPlace(command.directory(), true);
                    modules.add(matcher.group(1), command.by(), confidence * NAMED);
                }
            }
        }
    }
}
