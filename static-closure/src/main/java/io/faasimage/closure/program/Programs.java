package io.faasimage.closure.program;

import io.faasimage.closure.read.ContentParser;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.Invocation;
import io.faasimage.closure.read.Reads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The programs that commands start: found like a shell finds them, with the dynamic loader and libraries of each, and
 * the programs that it starts in turn. Scripts are followed to their interpreter, programs that start others (init
 * processes, {@code env}, OpenFaaS' watchdogs) to these, and interpreters of languages to their code.
 */
public final class Programs {
    private static final String DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final Set<String> SHELLS = Set.of("sh", "bash", "dash", "ash", "ksh", "zsh");
    private static final int HEAD_BYTES = 256;
    private static final ContentParser<String> HEAD =
            content -> new String(content.head(HEAD_BYTES), StandardCharsets.ISO_8859_1);

    private final Reads reads;
    private final List<LanguageRuntime> runtimes;

    /** The programs of an image, with the languages that are known. */
    public Programs(Reads reads, List<LanguageRuntime> runtimes) {
        this.reads = reads;
        this.runtimes = List.copyOf(runtimes);
    }

    /** Adds the reads of a command; commands that it starts are left to the reads. */
    public void follow(Invocation command) throws IOException {
        Optional<ImageEntry.File> found = find(command);
        if (found.isEmpty()) {
            if (command.by().isEmpty()) {
                reads.note("the image's command " + command.program() + " is not in the image");
            }
            return;
        }
        ImageEntry.File program = found.get();
        reads.add(program, command.by(), command.confidence());
        String head = reads.parse(program, HEAD);
        if (head.startsWith("#!")) {
            interpreted(command, program, head);
        } else if (!head.startsWith("\u007fELF")) {
            // As a shell does with a file that the kernel cannot execute.
            script(command, program, command.arguments());
        } else {
            binary(command.namedBy(program.name()), program);
        }
    }

    private Optional<ImageEntry.File> find(Invocation command) {
        String name = command.program();
        if (name.contains("/")) {
            return reads.files().file(command.absolute(name));
        }
        return Arrays.stream(
                        command.environment().getOrDefault("PATH", DEFAULT_PATH).split(":"))
                .flatMap(directory -> reads.files().file(command.absolute(directory) + "/" + name).stream())
                .filter(ImageEntry.File::executable)
                .findFirst();
    }

    /** The kernel passes all behind the interpreter as one argument. */
    private void interpreted(Invocation command, ImageEntry.File script, String head) {
        int end = head.indexOf('\n');
        List<String> words = new ArrayList<>(
                List.of(head.substring(2, end < 0 ? head.length() : end).strip().split("\\s+", 2)));
        boolean named = !words.getFirst().isEmpty();
        words.add(command.program().contains("/") ? command.program() : script.name());
        words.addAll(command.arguments());
        if (named) {
            reads.run(command.withWords(words).namedBy(script.name()));
        }
    }

    private void binary(Invocation command, ImageEntry.File program) throws IOException {
        SharedLibraries libraries = new SharedLibraries(reads, command.variable("LD_LIBRARY_PATH"));
        libraries.start(program, command.confidence());
        SystemFiles system = new SystemFiles(reads);
        system.locale(command);
        system.beside(program, command.confidence());
        String called = command.program().substring(command.program().lastIndexOf('/') + 1);
        if (SHELLS.contains(called)) {
            shell(command);
            return;
        }
        Launchers.started(called, command).forEach(reads::run);
        for (LanguageRuntime runtime : runtimes) {
            if (runtime.runs(called) || runtime.runs(program.path().name())) {
                runtime.start(new ProgramStart(reads, program, command, libraries));
                return;
            }
        }
    }

    private void shell(Invocation command) throws IOException {
        List<String> words = command.arguments();
        int at = 0;
        while (at < words.size() && words.get(at).matches("-[^c]*")) {
            at++;
        }
        if (at >= words.size()) {
            return;
        }
        if (words.get(at).startsWith("-")) {
            if (at + 1 < words.size()) {
                shellText(command, words.subList(Math.min(at + 3, words.size()), words.size()), words.get(at + 1));
            }
            return;
        }
        Optional<ImageEntry.File> file = reads.files().file(command.absolute(words.get(at)));
        if (file.isPresent()) {
            reads.add(file.get(), command.by(), command.confidence());
            script(command, file.get(), words.subList(at + 1, words.size()));
        }
    }

    private void script(Invocation command, ImageEntry.File file, List<String> parameters) throws IOException {
        String text = reads.text(file);
        if (text.indexOf('\0') < 0) {
            shellText(command.namedBy(file.name()).with("0", file.name()), parameters, text);
        }
    }

    private void shellText(Invocation command, List<String> parameters, String text) {
        new ShellScript(text, command, parameters, one -> find(one).isPresent(), reads::run).run();
    }
}
