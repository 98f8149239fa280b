package io.faasimage.closure.language;

import io.faasimage.closure.language.CommandWords.Option;
import io.faasimage.closure.language.Scanner.Syntax;
import io.faasimage.closure.language.ScriptSource.Import;
import io.faasimage.closure.program.LanguageRuntime;
import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** PHP: its settings and extensions, the files that a script includes, and the classes that autoloaders find. */
public final class PhpRuntime implements LanguageRuntime {
    private static final Set<String> WITH_VALUE = Set.of("-d", "-c", "-t", "-f", "-S", "-z", "-r", "-B", "-R", "-E");
    private static final double NESTED = 0.8;
    /** Classes that a source names; the first request probably gets there in own code. */
    private static final double OWN_CLASS = 0.8;

    private static final double LIBRARY_CLASS = 0.65;

    @Override
    public boolean runs(String name) {
        return name.matches("php(-?fpm|-?cgi)?[\\d.]*");
    }

    @Override
    public void start(ProgramStart start) throws IOException {
        new Run(start, new PhpSettings(start)).run();
    }

    private static final class Run extends ScriptRun {
        private final PhpSettings settings;
        private final PhpClasses classes;

        Run(ProgramStart start, PhpSettings settings) {
            super(start, Syntax.PHP, NESTED);
            this.settings = settings;
            this.classes = new PhpClasses(files, List.of(command.directory(), "/usr/share/php"));
        }

        void run() throws IOException {
            settings.load();
            CommandWords words = CommandWords.of(command.arguments(), WITH_VALUE);
            String script = command.directory() + "/index.php";
            for (Option option : words.options()) {
                switch (option.name()) {
                    case "-f" -> script = option.value();
                    case "-t" -> script = option.value() + "/index.php";
                    case "-r" -> text("<?php " + option.value());
                    default -> {
                        // Names no file.
                    }
                }
            }
            script = words.rest().isEmpty() ? script : words.rest().getFirst();
            program(files.file(command.absolute(script)), script);
        }

        @Override
        Optional<ImageEntry.File> find(Import one, String directory, double confidence) {
            if (one.relative() || one.path().startsWith("/")) {
                return files.file(one.relative() ? directory + "/" + one.path() : one.path());
            }
            return files.first(settings.includePath().stream().map(place -> command.absolute(place) + "/" + one.path()))
                    .or(() -> files.file(directory + "/" + one.path()));
        }

        @Override
        boolean isOwn(String file) {
            return !file.contains("/vendor/") && !file.startsWith("/usr/share/");
        }

        @Override
        void others(ScriptSource source, String by, double confidence, boolean own) throws IOException {
            for (String name : source.names()) {
                Optional<ImageEntry.File> file = classes.find(name);
                if (file.isPresent()) {
                    load(file.get(), by, confidence * (own ? OWN_CLASS : LIBRARY_CLASS));
                }
            }
        }
    }
}
