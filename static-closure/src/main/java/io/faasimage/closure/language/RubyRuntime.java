package io.faasimage.closure.language;

import io.faasimage.closure.language.CommandWords.Option;
import io.faasimage.closure.language.Scanner.Syntax;
import io.faasimage.closure.language.ScriptSource.Import;
import io.faasimage.closure.program.LanguageRuntime;
import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Ruby: its own start with RubyGems, and the files that the program requires, from the load path and from gems. */
public final class RubyRuntime implements LanguageRuntime {
    private static final List<String> FIRST = List.of(("enc/encdb.so enc/trans/transdb.so rbconfig.rb rubygems"
                    + " error_highlight did_you_mean syntax_suggest/core_ext")
            .split(" "));
    private static final List<String> SETTINGS =
            List.of("config.ru", "Gemfile", "Gemfile.lock", "config/puma.rb", ".bundle/config");
    private static final Set<String> WITH_VALUE = Set.of("-r", "-I", "-C", "-E", "-F", "-e");
    private static final double NESTED = 0.15;
    private static final double CERTAIN = 0.97;
    private static final double LIKELY = 0.8;
    private static final double CONDITIONAL = 0.5;

    @Override
    public boolean runs(String name) {
        return name.matches("ruby[\\d.]*");
    }

    @Override
    public void start(ProgramStart start) throws IOException {
        new Run(start, new RubyInstallation(start)).run();
    }

    private static final class Run extends ScriptRun {
        private final RubyInstallation installation;

        Run(ProgramStart start, RubyInstallation installation) {
            super(start, Syntax.RUBY, NESTED);
            this.installation = installation;
        }

        void run() throws IOException {
            for (String feature : FIRST) {
                feature(feature, start.program().name(), start.confidence() * CERTAIN);
            }
            installation.specifications().forEach(file -> start.add(file, LIKELY));
            CommandWords words = words("RUBYOPT", WITH_VALUE);
            for (Option option : words.options()) {
                if (option.name().equals("-I")) {
                    installation.addPlace(command.absolute(option.value()));
                } else if (option.name().equals("-r")) {
                    feature(option.value(), start.program().name(), start.confidence());
                } else if (option.name().equals("-e")) {
                    text(option.value());
                }
            }
            if (!words.rest().isEmpty()) {
                String name = words.rest().getFirst();
                program(files.file(command.absolute(name)), name);
                for (String settings : SETTINGS) {
                    Optional<ImageEntry.File> found = files.file(command.absolute(settings));
                    if (found.isPresent()) {
                        load(found.get(), start.program().name(), start.confidence() * CONDITIONAL);
                    }
                }
            }
        }

        private void feature(String name, String by, double confidence) throws IOException {
            Optional<ImageEntry.File> file = installation.find(name);
            if (file.isPresent()) {
                load(file.get(), by, confidence);
            }
        }

        @Override
        Optional<ImageEntry.File> find(Import one, String directory, double confidence) {
            return one.relative()
                    ? installation.withSuffix(directory + "/" + one.path())
                    : installation.find(one.path());
        }

        @Override
        boolean isOwn(String file) {
            return !installation.owns(file);
        }

        /** Web servers and adapters are chosen by name; Rack has a handler for each. */
        @Override
        void others(ScriptSource source, String by, double confidence, boolean own) throws IOException {
            Set<String> words = new LinkedHashSet<>(source.strings());
            words.addAll(source.names());
            for (String word : own ? words : Set.<String>of()) {
                if (installation.hasGem(word)) {
                    feature("rack/handler/" + word, by, confidence * LIKELY);
                    feature(word, by, confidence * LIKELY);
                }
            }
        }
    }
}
