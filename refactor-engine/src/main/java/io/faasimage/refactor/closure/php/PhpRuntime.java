package io.faasimage.refactor.closure.php;

import io.faasimage.refactor.closure.elf.SharedLibraries;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import io.faasimage.refactor.closure.runtime.LanguageRuntime;
import io.faasimage.refactor.closure.runtime.NamedFiles;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** PHP: its settings and extensions, the files that a script includes, and the classes that autoloaders find. */
public final class PhpRuntime implements LanguageRuntime {
    private static final Pattern NAME = Pattern.compile("php(-?fpm|-?cgi)?\\d*(\\.\\d+)?");
    private static final Set<String> WITH_VALUE = Set.of("-d", "-c", "-t", "-f", "-S", "-z", "-r", "-B", "-R", "-E");
    /** Classes that a source creates or calls in functions; the first request probably gets there in own code. */
    private static final double OWN_CLASS = 0.8;

    private static final double LIBRARY_CLASS = 0.65;
    private static final double OWN_DEFERRED = 0.5;
    private static final double GENERATED = 0.95;

    private final Reads reads;

    /** Adds to these reads. */
    public PhpRuntime(Reads reads) {
        this.reads = reads;
    }

    @Override
    public boolean runs(String name) {
        return NAME.matcher(name).matches();
    }

    @Override
    public void start(ImageEntry.File program, Invocation command, SharedLibraries libraries) throws IOException {
        PhpSettings settings = PhpSettings.read(reads, command, program.path().name());
        for (ImageEntry.File extension : settings.extensions()) {
            reads.add(extension, ClosureReason.RUNTIME, program.name(), command.confidence());
            libraries.load(extension, command.confidence());
        }
        new Start(command, settings).start();
    }

    /** One start. */
    private final class Start {
        private final Invocation command;
        private final PhpSettings settings;
        private final PhpClasses classes = new PhpClasses(reads.files());
        private final NamedFiles named;
        private final Map<ImageEntry.File, PhpSource> sources = new HashMap<>();

        Start(Invocation command, PhpSettings settings) {
            this.command = command;
            this.settings = settings;
            this.named = new NamedFiles(reads, command);
        }

        void start() throws IOException {
            for (String file : settings.prepended()) {
                script(file);
            }
            List<String> words = command.arguments();
            String root = command.directory();
            int at = 0;
            while (at < words.size() && words.get(at).startsWith("-")) {
                String word = words.get(at);
                boolean separate = WITH_VALUE.contains(word) && at + 1 < words.size();
                String value = separate ? words.get(at + 1) : word.substring(Math.min(2, word.length()));
                if (word.startsWith("-f")) {
                    script(value);
                } else if (word.startsWith("-t")) {
                    root = command.absolute(value);
                } else if (word.equals("-r")) {
                    follow(PhpSource.parse("<?php " + value), root, command.by(), command.confidence(), true);
                }
                at += separate ? 2 : 1;
            }
            if (at < words.size()) {
                script(words.get(at));
            } else {
                script(root + "/index.php");
            }
        }

        private void script(String name) throws IOException {
            Optional<ImageEntry.File> file = reads.files().file(command.absolute(name));
            if (file.isPresent()) {
                reads.add(file.get(), ClosureReason.PROGRAM, command.by(), command.confidence());
                source(file.get(), command.confidence());
            }
        }

        private void load(ImageEntry.File file, String by, double confidence) throws IOException {
            if (reads.add(file, ClosureReason.MODULE, by, confidence)) {
                reads.follow(() -> source(file, confidence));
            }
        }

        private void source(ImageEntry.File file, double confidence) throws IOException {
            PhpSource source = sources.get(file);
            if (source == null) {
                PhpTable table = table(file);
                source = table.source();
                sources.put(file, source);
                for (String always : classes.addTable(file.directory(), table.text())) {
                    Optional<ImageEntry.File> included = reads.files().file(always);
                    if (included.isPresent()) {
                        load(included.get(), file.name(), confidence);
                    }
                }
            }
            boolean own = !file.name().contains("/vendor/") && !file.name().startsWith("/usr/share/");
            if (own) {
                named.add(file, source.strings(), source.startsPrograms(), confidence);
            }
            follow(source, file.directory(), file.name(), confidence, own);
        }

        /** A source as a table; without text, if it is none. */
        private PhpTable table(ImageEntry.File file) throws IOException {
            boolean isTable = file.path().name().startsWith("autoload")
                    && !file.path().name().equals("autoload_real.php");
            if (isTable) {
                return reads.source(file, PhpTable.PARSER).orElseGet(() -> PhpTable.parse(""));
            }
            return new PhpTable(reads.source(file, PhpSource.PARSER).orElseGet(() -> PhpSource.parse("")), "");
        }

        private void follow(PhpSource source, String directory, String by, double confidence, boolean own)
                throws IOException {
            boolean generated = by.contains("/composer/autoload_") || by.endsWith("/autoload.php");
            for (PhpSource.Include include : source.includes()) {
                double factor = !include.deferred() ? 1 : generated ? GENERATED : own ? OWN_DEFERRED : 0;
                Optional<ImageEntry.File> file = find(include, directory);
                if (factor > 0 && file.isPresent()) {
                    load(file.get(), by, confidence * factor);
                }
            }
            for (Map.Entry<String, Boolean> entry : source.classes().entrySet()) {
                Optional<ImageEntry.File> file = classes.find(entry.getKey());
                if (file.isPresent()) {
                    double factor = entry.getValue() ? 1 : own ? OWN_CLASS : LIBRARY_CLASS;
                    load(file.get(), by, confidence * factor);
                }
            }
        }

        private Optional<ImageEntry.File> find(PhpSource.Include include, String directory) {
            Optional<String> path = PhpSource.path(include, directory);
            if (path.isPresent()) {
                return reads.files().file(path.get());
            }
            for (String place : settings.includePath()) {
                Optional<ImageEntry.File> file = reads.files().file(command.absolute(place) + "/" + include.path());
                if (file.isPresent()) {
                    return file;
                }
            }
            return reads.files().file(directory + "/" + include.path());
        }
    }
}
