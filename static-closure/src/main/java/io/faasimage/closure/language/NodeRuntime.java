package io.faasimage.closure.language;

import io.faasimage.closure.language.CommandWords.Option;
import io.faasimage.closure.language.NodeResolver.Description;
import io.faasimage.closure.language.NodeResolver.Resolved;
import io.faasimage.closure.language.Scanner.Syntax;
import io.faasimage.closure.language.ScriptSource.Import;
import io.faasimage.closure.program.LanguageRuntime;
import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ImageEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Node.js, and the scripts that {@code npm start} and its like start. */
public final class NodeRuntime implements LanguageRuntime {
    private static final Set<String> MODULE_OPTIONS = Set.of("-r", "--require", "--import", "--loader");
    private static final Set<String> WITH_VALUE =
            Set.of("-r", "--require", "--import", "--loader", "-C", "--conditions", "--title");
    /** Built-in modules that Debian's Node.js reads from files at its start. */
    private static final List<String> DEBIAN_BUILTIN =
            List.of(("cjs-module-lexer/lexer.js cjs-module-lexer/dist/lexer.js"
                            + " undici/undici-fetch.js acorn/dist/acorn.js acorn-walk/dist/walk.js")
                    .split(" "));

    private static final double NESTED = 0.75;
    private static final double LIKELY = 0.8;

    @Override
    public boolean runs(String name) {
        return name.matches("node(js)?(-?\\d+)?");
    }

    @Override
    public void start(ProgramStart start) throws IOException {
        List<String> global =
                new ArrayList<>(List.of(start.command().variable("NODE_PATH").split(":")));
        global.removeIf(String::isEmpty);
        global.addAll(List.of("/usr/share/nodejs", "/usr/lib/nodejs"));
        for (String triplet : start.files().names("/usr/lib")) {
            if (triplet.contains("-linux-")) {
                global.add("/usr/lib/" + triplet + "/nodejs");
            }
        }
        DEBIAN_BUILTIN.forEach(builtin -> start.add("/usr/share/nodejs/" + builtin, LIKELY));
        new Run(start, new NodeResolver(start.reads(), global)).run();
    }

    private static final class Run extends ScriptRun {
        private final NodeResolver resolver;

        Run(ProgramStart start, NodeResolver resolver) {
            super(start, Syntax.SCRIPT, NESTED);
            this.resolver = resolver;
        }

        void run() throws IOException {
            CommandWords words = words("NODE_OPTIONS", WITH_VALUE);
            for (Option option : words.options()) {
                if (MODULE_OPTIONS.contains(option.name())) {
                    String keyword = option.name().endsWith("r") ? "import" : "require";
                    Import one = new Import(keyword, option.value(), false, false);
                    program(find(one, command.directory(), start.confidence()), option.value());
                }
            }
            if (!words.rest().isEmpty()) {
                String name = words.rest().getFirst();
                Import one = new Import("require", command.absolute(name), false, false);
                Optional<ImageEntry.File> main = find(one, command.directory(), start.confidence());
                program(main, name);
                if (main.isPresent() && main.get().path().name().matches("(npm-cli|yarn|pnpm)\\.c?js|npm|yarn|pnpm")) {
                    packageScript(words.rest().subList(1, words.rest().size()));
                }
            }
        }

        /** Runs the script of {@code npm start}, {@code npm run NAME} or {@code yarn NAME}. */
        private void packageScript(List<String> words) throws IOException {
            Optional<Description> own = resolver.scope(command.directory());
            List<String> names = words.stream()
                    .filter(word -> !word.startsWith("-") && !word.equals("run") && !word.equals("run-script"))
                    .toList();
            if (own.isPresent() && !names.isEmpty()) {
                String script =
                        own.get().json().path("scripts").path(names.getFirst()).asString("exit");
                String programs = own.get().file().directory() + "/node_modules/.bin:" + command.variable("PATH");
                reads.run(command.withWords(List.of("sh", "-c", script))
                        .with("PATH", programs)
                        .namedBy(own.get().file().name()));
            }
        }

        @Override
        Optional<ImageEntry.File> find(Import one, String directory, double confidence) throws IOException {
            Optional<Resolved> found =
                    resolver.resolve(one.path(), directory, !one.keyword().equals("require"));
            if (found.isEmpty()) {
                return Optional.empty();
            }
            ImageEntry.File file = found.get().file();
            describe(found.get().described(), confidence);
            if (!file.path().name().endsWith(".json")) {
                describe(resolver.scope(file.directory()), confidence);
            }
            return Optional.of(file);
        }

        private void describe(Optional<Description> described, double confidence) {
            described.ifPresent(it -> reads.add(it.file(), start.program().name(), confidence));
        }

        @Override
        boolean isOwn(String file) {
            return !file.contains("/node_modules/") && !file.startsWith("/usr/");
        }

        /** Follows modules that are named but not imported by a constant, for example by way of a URL. */
        @Override
        void others(ScriptSource source, String by, double confidence, boolean own) throws IOException {
            for (String text : own ? source.strings() : Set.<String>of()) {
                Optional<ImageEntry.File> file = text.matches("/.*\\.[cm]?js") ? files.file(text) : Optional.empty();
                if (file.isPresent()) {
                    load(file.get(), by, confidence * LIKELY);
                }
            }
        }
    }
}
