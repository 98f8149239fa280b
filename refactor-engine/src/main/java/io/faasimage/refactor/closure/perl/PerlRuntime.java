package io.faasimage.refactor.closure.perl;

import io.faasimage.format.tree.FilePath;
import io.faasimage.refactor.closure.elf.SharedLibraries;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Invocation;
import io.faasimage.refactor.closure.reads.Reads;
import io.faasimage.refactor.closure.runtime.LanguageRuntime;
import io.faasimage.refactor.closure.runtime.NamedFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Perl: the modules that a program uses, from the directories of {@code @INC}. */
public final class PerlRuntime implements LanguageRuntime {
    private static final Pattern NAME = Pattern.compile("perl(5(\\.\\d+)*)?");
    private static final Pattern VERSION = Pattern.compile("5\\.\\d+(\\.\\d+)?");
    private static final List<String> LIBRARIES = List.of(
            "/etc/perl",
            "/usr/local/lib/perl5/site_perl/*",
            "/usr/local/lib/perl5/vendor_perl/*",
            "/usr/local/lib/perl5/*",
            "/usr/local/lib/*/perl/*",
            "/usr/local/share/perl/*",
            "/usr/lib/*/perl5/*",
            "/usr/share/perl5",
            "/usr/lib/*/perl-base",
            "/usr/lib/*/perl/*",
            "/usr/share/perl/*",
            "/usr/lib/perl5/core_perl",
            "/usr/lib/perl5/vendor_perl",
            "/usr/share/perl5/core_perl",
            "/usr/share/perl5/vendor_perl",
            "/usr/local/lib/site_perl");
    private static final double OWN_DEFERRED = 0.5;
    private static final double LIBRARY_DEFERRED = 0.3;

    private final Reads reads;

    /** Adds to these reads. */
    public PerlRuntime(Reads reads) {
        this.reads = reads;
    }

    @Override
    public boolean runs(String name) {
        return NAME.matcher(name).matches();
    }

    @Override
    public void start(ImageEntry.File program, Invocation command, SharedLibraries libraries) throws IOException {
        new Start(command, libraries).start();
    }

    /** One start. */
    private final class Start {
        private final Invocation command;
        private final SharedLibraries libraries;
        private final NamedFiles named;
        private final List<String> path = new ArrayList<>();
        private final Map<ImageEntry.File, PerlSource> sources = new HashMap<>();
        private final Set<String> loaded = new HashSet<>();

        Start(Invocation command, SharedLibraries libraries) {
            this.command = command;
            this.libraries = libraries;
            this.named = new NamedFiles(reads, command);
        }

        void start() throws IOException {
            Arrays.stream(command.variable("PERL5LIB").split(":"))
                    .filter(entry -> !entry.isEmpty())
                    .forEach(path::add);
            LIBRARIES.forEach(pattern -> path.addAll(expand(pattern)));
            List<String> words = command.arguments();
            int at = 0;
            for (; at < words.size() && words.get(at).startsWith("-"); at++) {
                String word = words.get(at);
                if (word.startsWith("-I") && word.length() > 2) {
                    path.addFirst(command.absolute(word.substring(2)));
                } else if (word.startsWith("-M") && word.length() > 2) {
                    module(word.substring(2).replaceFirst("=.*", ""), command.by(), command.confidence());
                } else if (word.startsWith("-")
                        && (word.endsWith("e") || word.endsWith("E"))
                        && at + 1 < words.size()) {
                    follow(
                            PerlSource.parse(words.get(at + 1)),
                            command.directory(),
                            command.by(),
                            command.confidence(),
                            true);
                    return;
                }
            }
            if (at < words.size()) {
                script(words.get(at));
            }
        }

        private void script(String name) throws IOException {
            Optional<ImageEntry.File> file = reads.files().file(command.absolute(name));
            if (file.isPresent()) {
                reads.add(file.get(), ClosureReason.PROGRAM, command.by(), command.confidence());
                source(file.get(), command.confidence(), true);
            }
        }

        /** The existing directories of a pattern; a star at its end is a version and may have a directory below it. */
        private List<String> expand(String pattern) {
            List<String> places = List.of("");
            for (String part : pattern.substring(1).split("/")) {
                List<String> next = new ArrayList<>();
                for (String place : places) {
                    if (part.equals("*")) {
                        directories(place).forEach(name -> next.add(place + "/" + name));
                    } else {
                        next.add(place + "/" + part);
                    }
                }
                places = next;
            }
            List<String> all = new ArrayList<>();
            for (String place : places) {
                if (reads.files().directory(place).isPresent()) {
                    // Directories of the architecture lie in that of the version.
                    directories(place).stream()
                            .filter(name -> name.contains("linux"))
                            .forEach(name -> all.add(place + "/" + name));
                    all.add(place);
                }
            }
            return all;
        }

        private List<String> directories(String place) {
            return reads.files().directory(place).stream()
                    .flatMap(directory -> reads.files().names(directory).stream())
                    .filter(name -> VERSION.matcher(name).matches() || name.contains("linux"))
                    .toList();
        }

        private void module(String name, String by, double confidence) throws IOException {
            file(name.replace("::", "/").replace('\'', '/') + ".pm", by, confidence);
            if (name.equals("File::Spec")) {
                // The name of the system is put into the name of the module.
                file("File/Spec/Unix.pm", by, confidence);
            }
        }

        private void file(String relative, String by, double confidence) throws IOException {
            for (String place : path) {
                Optional<ImageEntry.File> file = reads.files().file(place + "/" + relative);
                if (file.isPresent()) {
                    if (reads.add(file.get(), ClosureReason.MODULE, by, confidence)) {
                        reads.follow(() -> {
                            source(file.get(), confidence, false);
                            extension(relative, file.get(), confidence);
                        });
                    }
                    return;
                }
            }
        }

        /** The compiled part of a module that loads one. */
        private void extension(String relative, ImageEntry.File module, double confidence) throws IOException {
            PerlSource source = sources.get(module);
            if (source == null || !source.loadsLibrary() || !loaded.add(relative)) {
                return;
            }
            String stem = relative.replaceFirst("\\.pm$", "");
            String library = "auto/" + stem + "/" + stem.substring(stem.lastIndexOf('/') + 1) + ".so";
            for (String place : path) {
                Optional<ImageEntry.File> file = reads.files().file(place + "/" + library);
                if (file.isPresent()) {
                    reads.add(file.get(), ClosureReason.MODULE, module.name(), confidence);
                    libraries.load(file.get(), confidence);
                    return;
                }
            }
        }

        private void source(ImageEntry.File file, double confidence, boolean own) throws IOException {
            PerlSource source = sources.get(file);
            if (source == null) {
                source = reads.source(file, PerlSource.PARSER).orElseGet(() -> PerlSource.parse(""));
                sources.put(file, source);
            }
            boolean ownFile =
                    own || path.stream().noneMatch(place -> file.name().startsWith(place + "/"));
            if (ownFile) {
                named.add(file, source.strings(), source.startsPrograms(), confidence);
            }
            follow(source, file.directory(), file.name(), confidence, ownFile);
        }

        private void follow(PerlSource source, String directory, String by, double confidence, boolean own)
                throws IOException {
            for (String place : source.places()) {
                Optional<FilePath> at = reads.files()
                        .directory(place.startsWith("/") ? place : directory + "/" + place)
                        .or(() -> reads.files().directory(command.absolute(place)));
                at.ifPresent(found -> path.addFirst("/" + found.raw()));
            }
            for (PerlSource.Use use : source.uses()) {
                double factor = use.deferred() ? (own ? OWN_DEFERRED : LIBRARY_DEFERRED) : 1;
                if (use.file()) {
                    file(use.name(), by, confidence * factor);
                } else {
                    module(use.name(), by, confidence * factor);
                }
            }
        }
    }
}
