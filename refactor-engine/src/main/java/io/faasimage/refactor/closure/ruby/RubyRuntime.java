package io.faasimage.refactor.closure.ruby;

import io.faasimage.refactor.closure.elf.SharedLibraries;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import io.faasimage.refactor.closure.runtime.LanguageRuntime;
import io.faasimage.refactor.closure.runtime.NamedFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Ruby: its own start with RubyGems, and what the program requires, from the load path and from gems. */
public final class RubyRuntime implements LanguageRuntime {
    private static final Pattern NAME = Pattern.compile("ruby(\\d+(\\.\\d+)*)?");
    private static final List<String> FIRST =
            List.of("enc/encdb.so", "enc/trans/transdb.so", "rbconfig.rb", "rubygems");
    private static final List<String> AFTER_GEMS =
            List.of("error_highlight", "did_you_mean", "syntax_suggest/core_ext");
    private static final Set<String> WITH_VALUE = Set.of("-r", "-I", "-C", "-E", "-F", "-e");
    private static final double CERTAIN = 0.97;
    private static final double LIKELY = 0.8;
    private static final double CONDITIONAL = 0.5;
    private static final double AUTOLOAD = 0.4;
    private static final double OWN_DEFERRED = 0.5;

    private final Reads reads;

    /** Adds to these reads. */
    public RubyRuntime(Reads reads) {
        this.reads = reads;
    }

    @Override
    public boolean runs(String name) {
        return NAME.matcher(name).matches();
    }

    @Override
    public void start(ImageEntry.File program, Invocation command, SharedLibraries libraries) throws IOException {
        Optional<RubyInstallation> installation = RubyInstallation.of(reads.files(), program.name(), command);
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
        private final RubyInstallation installation;
        private final SharedLibraries libraries;
        private final RubyGems gems;
        private final NamedFiles named;
        private final List<String> loadPath;
        private final Map<ImageEntry.File, RubySource> sources = new HashMap<>();
        private boolean gemsRead;

        Start(ImageEntry.File program, Invocation command, RubyInstallation installation, SharedLibraries libraries) {
            this.program = program;
            this.command = command;
            this.installation = installation;
            this.libraries = libraries;
            this.gems = new RubyGems(reads.files(), installation.gemDirectories());
            this.named = new NamedFiles(reads, command);
            this.loadPath = new ArrayList<>(installation.loadPath());
        }

        void start() throws IOException {
            double confidence = command.confidence() * CERTAIN;
            for (String feature : FIRST) {
                feature(feature, program.name(), confidence);
            }
            defaultGems(confidence);
            for (String feature : AFTER_GEMS) {
                feature(feature, program.name(), confidence * LIKELY);
            }
            options(List.of(command.variable("RUBYOPT").strip().split("\\s+")));
            List<String> words = options(command.arguments());
            if (!words.isEmpty()) {
                script(words.getFirst());
            }
        }

        /** RubyGems reads the descriptions of the gems that came with Ruby. */
        private void defaultGems(double confidence) {
            for (String directory : installation.gemDirectories()) {
                String place = directory + "/specifications/default";
                reads.files().directory(place).stream()
                        .flatMap(path -> reads.files().names(path).stream())
                        .filter(name -> name.endsWith(".gemspec"))
                        .forEach(name -> reads.add(
                                place + "/" + name, ClosureReason.CONFIGURATION, program.name(), confidence * LIKELY));
            }
        }

        private List<String> options(List<String> words) throws IOException {
            int at = 0;
            while (at < words.size()
                    && words.get(at).startsWith("-")
                    && words.get(at).length() > 1) {
                String word = words.get(at);
                boolean separate = WITH_VALUE.contains(word) && at + 1 < words.size();
                String value = separate ? words.get(at + 1) : word.substring(2);
                if (word.startsWith("-I")) {
                    loadPath.addFirst(command.absolute(value));
                } else if (word.startsWith("-r")) {
                    feature(value, program.name(), command.confidence());
                } else if (word.equals("-e")) {
                    RubySource source = RubySource.parse(value);
                    follow(source, command.directory(), command.by(), command.confidence(), true);
                }
                at += separate ? 2 : 1;
            }
            return at >= words.size() ? List.of() : words.subList(at, words.size());
        }

        private void script(String name) throws IOException {
            Optional<ImageEntry.File> file = reads.files().file(command.absolute(name));
            if (file.isEmpty()) {
                reads.note("the Ruby program " + name + " is not in the image");
                return;
            }
            reads.add(file.get(), ClosureReason.PROGRAM, command.by(), command.confidence());
            source(file.get(), command.confidence(), true);
            for (String own : List.of("config.ru", "Gemfile", "Gemfile.lock", "config/puma.rb", ".bundle/config")) {
                Optional<ImageEntry.File> found = reads.files().file(command.absolute(own));
                if (found.isPresent()) {
                    double confidence = command.confidence() * CONDITIONAL;
                    reads.add(
                            found.get(), ClosureReason.CONFIGURATION, file.get().name(), confidence);
                    source(found.get(), confidence, true);
                }
            }
        }

        private void feature(String name, String by, double confidence) throws IOException {
            Optional<ImageEntry.File> file = inPath(name);
            if (file.isPresent()) {
                load(file.get(), by, confidence);
                return;
            }
            Optional<RubyGems.Found> found = gems.find(name);
            if (found.isPresent()) {
                allGems(by, confidence);
                reads.add(found.get().gem().specification(), ClosureReason.CONFIGURATION, by, confidence);
                load(found.get().file(), by, confidence);
            }
        }

        /** The first look for a gem reads the heads of all descriptions. */
        private void allGems(String by, double confidence) {
            if (!gemsRead) {
                gemsRead = true;
                gems.specifications()
                        .forEach(file -> reads.add(file, ClosureReason.CONFIGURATION, by, confidence * LIKELY));
            }
        }

        private Optional<ImageEntry.File> inPath(String name) {
            if (name.startsWith("/")) {
                return withSuffix(name);
            }
            return loadPath.stream()
                    .flatMap(place -> withSuffix(place + "/" + name).stream())
                    .findFirst();
        }

        private Optional<ImageEntry.File> withSuffix(String path) {
            if (path.endsWith(".rb") || path.endsWith(".so")) {
                return reads.files().file(path);
            }
            return reads.files().file(path + ".rb").or(() -> reads.files().file(path + ".so"));
        }

        private void load(ImageEntry.File file, String by, double confidence) throws IOException {
            if (!reads.add(file, ClosureReason.MODULE, by, confidence)) {
                return;
            }
            if (file.path().name().endsWith(".so")) {
                libraries.load(file, confidence);
            } else {
                reads.follow(() -> source(file, confidence, false));
            }
        }

        private void source(ImageEntry.File file, double confidence, boolean main) throws IOException {
            RubySource source = sources.get(file);
            if (source == null) {
                source = reads.source(file, RubySource.PARSER).orElseGet(() -> RubySource.parse(""));
                sources.put(file, source);
            }
            boolean own = main || !isInstalled(file.name());
            if (own) {
                for (String place : source.places()) {
                    String directory = place.startsWith("/") ? place : file.directory() + "/" + place;
                    if (reads.files().directory(directory).isPresent()) {
                        loadPath.addFirst(directory);
                    }
                }
                for (String word : source.words()) {
                    if (gems.has(word)) {
                        // Web servers and adapters are chosen by name; Rack has a handler for each.
                        feature("rack/handler/" + word, file.name(), confidence * LIKELY);
                        feature(word, file.name(), confidence * LIKELY);
                    }
                }
                named.add(file, source.strings(), source.startsPrograms(), confidence);
            }
            follow(source, file.directory(), file.name(), confidence, own);
        }

        private boolean isInstalled(String file) {
            return file.startsWith("/usr/")
                    || installation.loadPath().stream().anyMatch(place -> file.startsWith(place + "/"))
                    || installation.gemDirectories().stream().anyMatch(place -> file.startsWith(place + "/"));
        }

        private void follow(RubySource source, String directory, String by, double confidence, boolean own)
                throws IOException {
            for (RubySource.Require one : source.requires()) {
                double factor = one.deferred() ? (own ? OWN_DEFERRED : 0) : one.conditional() ? CONDITIONAL : 1;
                factor *= one.kind() == RubySource.Kind.AUTOLOAD ? AUTOLOAD : 1;
                if (factor == 0) {
                    continue;
                }
                if (one.kind() == RubySource.Kind.RELATIVE) {
                    Optional<ImageEntry.File> file = withSuffix(directory + "/" + one.name());
                    if (file.isPresent()) {
                        load(file.get(), by, confidence * factor);
                    }
                } else {
                    feature(one.name(), by, confidence * factor);
                }
            }
        }
    }
}
