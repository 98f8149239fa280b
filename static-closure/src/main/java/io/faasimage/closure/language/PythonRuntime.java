package io.faasimage.closure.language;

import io.faasimage.closure.program.LanguageRuntime;
import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Invocation;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** CPython: its own start, {@code .pth} files and {@code sitecustomize}, and the program's imports. */
public final class PythonRuntime implements LanguageRuntime {
    private static final Pattern NAME = Pattern.compile("python(3(\\.\\d+)?)?");
    private static final Set<String> WITH_VALUE = Set.of("-W", "-X", "--check-hash-based-pycs");
    private static final List<String> FIRST = List.of(
            ("encodings encodings.aliases encodings.utf_8 codecs io os site" + " _collections_abc _sitebuiltins")
                    .split(" "));
    /** For example of gunicorn: {@code app:application}; of Lambda's client: {@code handler.handle}. */
    private static final Pattern OBJECT = Pattern.compile("([A-Za-z_][\\w.]*)[:.][A-Za-z_]\\w*(\\(\\))?");

    private static final double OPTIONAL = 0.95;
    private static final double NAMED = 0.9;
    private static final double SEARCHED = 0.3;
    private static final List<String> DOCUMENTS =
            List.of("METADATA", "PKG-INFO", "RECORD", "entry_points.txt", "top_level.txt");
    private static final int MAX_LINES = 1000;

    @Override
    public boolean runs(String name) {
        return NAME.matcher(name).matches();
    }

    @Override
    public void start(ProgramStart start) throws IOException {
        Optional<PythonInstallation> installation = PythonInstallation.of(start);
        if (installation.isEmpty()) {
            start.reads().note(start.program().path() + " has no standard library in the image");
            return;
        }
        new Run(start, installation.get()).run();
    }

    /** One start. */
    private static final class Run {
        private final ProgramStart start;
        private final ImageFiles files;
        private final Invocation command;
        private final String program;
        private final PythonInstallation installation;
        private final PythonFinder finder;
        private final PythonModules modules;
        private final double confidence;

        Run(ProgramStart start, PythonInstallation installation) {
            this.start = start;
            this.files = start.files();
            this.command = start.command();
            this.program = start.program().name();
            this.installation = installation;
            this.confidence = start.confidence();
            this.finder = new PythonFinder(files, installation.minor());
            this.modules = new PythonModules(start, installation, finder);
        }

        void run() throws IOException {
            Stream.of(command.variable("PYTHONPATH").split(":"))
                    .filter(place -> !place.isEmpty())
                    .forEach(place -> finder.addPlace(place, false));
            finder.addPlace(installation.standard(), false);
            finder.addPlace(installation.standard() + "/lib-dynload", false);
            installation.sites().forEach(site -> finder.addPlace(site, false));
            installation.settings().ifPresent(file -> start.add(file.name(), 1));
            for (String module : FIRST) {
                modules.add(module, program, confidence);
            }
            for (String site : installation.sites()) {
                for (String name : files.names(site)) {
                    if (name.endsWith(".pth")) {
                        pathFile(site, name);
                    }
                }
            }
            for (String system : List.of("/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd")) {
                start.add(system, NAMED);
            }
            modules.add("sitecustomize", program, confidence * OPTIONAL);
            modules.add("usercustomize", program, confidence * OPTIONAL);
            arguments();
            installation.sites().forEach(this::metadata);
        }

        /** The documents of installed distributions, which {@code importlib.metadata} searches, as does setuptools. */
        private void metadata(String site) {
            double searched = Math.max(modules.confidence("importlib.metadata"), modules.confidence("pkg_resources"));
            for (String name : files.names(site)) {
                if (name.endsWith(".dist-info") || name.endsWith(".egg-info")) {
                    DOCUMENTS.forEach(document -> start.reads()
                            .add(site + "/" + name + "/" + document, "importlib.metadata", searched * SEARCHED));
                }
            }
        }

        private void pathFile(String site, String name) throws IOException {
            Optional<ImageEntry.File> file = files.file(site + "/" + name);
            if (file.isEmpty()) {
                return;
            }
            start.reads().add(file.get(), program, confidence);
            String text = start.reads().text(file.get());
            for (String line : text.lines().limit(MAX_LINES).map(String::strip).toList()) {
                if (line.startsWith("import ")) {
                    modules.text(line, file.get().name(), confidence * OPTIONAL);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    finder.addPlace(line.startsWith("/") ? line : site + "/" + line, false);
                }
            }
        }

        private void arguments() throws IOException {
            List<String> words = command.arguments();
            int at = 0;
            while (at < words.size() && words.get(at).startsWith("-")) {
                String word = words.get(at++);
                if (word.matches("-[a-zA-Z]*[mc]") && at < words.size()) {
                    finder.addPlace(command.directory(), true);
                    if (word.endsWith("c")) {
                        modules.text(words.get(at), command.by(), confidence);
                    } else {
                        module(words.get(at));
                    }
                    objects(words.subList(at + 1, words.size()));
                    return;
                }
                at += WITH_VALUE.contains(word) ? 1 : 0;
            }
            if (at < words.size()) {
                script(words.get(at));
                objects(words.subList(at + 1, words.size()));
            }
        }

        private void module(String name) throws IOException {
            modules.add("runpy", program, confidence);
            boolean isPackage = finder.find(name).map(PythonModule::isPackage).orElse(false);
            String main = isPackage ? name + ".__main__" : name;
            modules.add(main, program, confidence);
            Optional<PythonModule> module = finder.find(main).filter(PythonModule::isSource);
            if (module.isPresent()) {
                modules.main(module.get().file().orElseThrow(), PythonModule.parentOf(main), confidence);
            }
        }

        private void script(String name) throws IOException {
            String path = command.absolute(name);
            if (files.directory(path).isPresent()) {
                finder.addPlace(path, true);
                path = path + "/__main__.py";
            }
            Optional<ImageEntry.File> file = files.file(path);
            if (file.isEmpty()) {
                start.reads().note("the Python program " + name + " is not in the image");
                return;
            }
            finder.addPlace(file.get().directory(), true);
            start.reads().add(file.get(), command.by(), confidence);
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
