package io.faasimage.closure.language;

import io.faasimage.closure.language.CommandWords.Option;
import io.faasimage.closure.language.Scanner.Syntax;
import io.faasimage.closure.language.ScriptSource.Import;
import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Invocation;
import io.faasimage.closure.read.Reads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A start of Node.js, Ruby or PHP: the modules that it loads, and the files that their sources lead to. For one thread.
 */
abstract class ScriptRun {
    private static final double AUTOLOAD = 0.4;

    final ProgramStart start;
    final Reads reads;
    final ImageFiles files;
    final Invocation command;
    private final Syntax syntax;
    private final NamedFiles named;
    private final double nested;

    /** A start; {@code nested} is how probable imports in blocks are. */
    ScriptRun(ProgramStart start, Syntax syntax, double nested) {
        this.start = start;
        this.reads = start.reads();
        this.files = start.files();
        this.command = start.command();
        this.syntax = syntax;
        this.nested = nested;
        this.named = new NamedFiles(start);
    }

    /** The file that an import of a source in {@code directory} means; adds the files that are read to find it. */
    abstract Optional<ImageEntry.File> find(Import one, String directory, double confidence) throws IOException;

    /** Whether a source is the function's own code. */
    abstract boolean isOwn(String file);

    /** Follows the other references of a source. */
    abstract void others(ScriptSource source, String by, double confidence, boolean own) throws IOException;

    /** The options of the command and of a variable, and the words behind the command's. */
    CommandWords words(String variable, Set<String> withValue) {
        CommandWords words = CommandWords.of(command.arguments(), withValue);
        List<String> more = List.of(command.variable(variable).strip().split("\\s+"));
        List<Option> options = new ArrayList<>(CommandWords.of(more, withValue).options());
        options.addAll(words.options());
        return new CommandWords(options, words.rest());
    }

    /** Follows the program, also when it is in the reads already, as a script that names its interpreter is. */
    void program(Optional<ImageEntry.File> file, String name) throws IOException {
        if (file.isPresent()) {
            reads.add(file.get(), command.by(), start.confidence());
            source(file.get(), start.confidence());
        } else {
            reads.note("the program " + name + " is not in the image");
        }
    }

    void load(ImageEntry.File file, String by, double confidence) throws IOException {
        String name = file.path().name();
        if (!reads.add(file, by, confidence) || name.endsWith(".json")) {
            return;
        }
        if (name.endsWith(".so") || name.endsWith(".node")) {
            start.libraries().load(file, confidence);
        } else {
            reads.follow(() -> source(file, confidence));
        }
    }

    private void source(ImageEntry.File file, double confidence) throws IOException {
        Optional<ScriptSource> source = reads.source(file, Objects.requireNonNull(ScriptSource.PARSERS.get(syntax)));
        if (source.isPresent()) {
            boolean own = isOwn(file.name());
            if (own) {
                named.add(file, source.get().strings(), source.get().startsPrograms(), confidence);
            }
            follow(source.get(), file.directory(), file.name(), confidence, own);
        }
    }

    /** Follows the text of a program. */
    void text(String text) throws IOException {
        follow(ScriptSource.parse(text, syntax), command.directory(), command.by(), start.confidence(), true);
    }

    private void follow(ScriptSource source, String directory, String by, double confidence, boolean own)
            throws IOException {
        for (Import one : source.imports()) {
            double factor = one.keyword().equals("autoload") ? AUTOLOAD : one.nested() ? nested : 1;
            double reached = confidence * factor;
            Optional<ImageEntry.File> file = find(one, directory, reached);
            if (file.isPresent()) {
                load(file.get(), by, reached);
            }
        }
        others(source, by, confidence, own);
    }
}
