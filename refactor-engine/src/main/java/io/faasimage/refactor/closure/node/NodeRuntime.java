package io.faasimage.refactor.closure.node;

import io.faasimage.refactor.closure.elf.SharedLibraries;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.node.NodeResolver.Resolved;
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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Node.js, and what {@code npm start} and its like start. */
public final class NodeRuntime implements LanguageRuntime {
    private static final Pattern NAME = Pattern.compile("node(js)?(-?\\d+)?");
    private static final Set<String> WITH_VALUE =
            Set.of("-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions", "--title");
    private static final Set<String> MODULE_OPTIONS = Set.of("-r", "--require", "--import", "--loader");
    private static final List<String> GLOBAL = List.of("/usr/share/nodejs", "/usr/lib/nodejs");
    /** Built-in modules that Debian's Node.js reads from files at its start. */
    private static final List<String> DEBIAN_BUILTIN = List.of(
            "cjs-module-lexer/lexer.js",
            "cjs-module-lexer/dist/lexer.js",
            "undici/undici-fetch.js",
            "acorn/dist/acorn.js",
            "acorn-walk/dist/walk.js");

    private static final double NESTED = 0.8;
    private static final double OWN_DEFERRED = 0.5;
    private static final double LIKELY = 0.8;

    private final Reads reads;

    /** Adds to these reads. */
    public NodeRuntime(Reads reads) {
        this.reads = reads;
    }

    @Override
    public boolean runs(String name) {
        return NAME.matcher(name).matches();
    }

    @Override
    public void start(ImageEntry.File program, Invocation command, SharedLibraries libraries) throws IOException {
        List<String> global =
                new ArrayList<>(List.of(command.variable("NODE_PATH").split(":")));
        global.removeIf(String::isEmpty);
        global.addAll(GLOBAL);
        reads.files().directory("/usr/lib").map(reads.files()::names).orElse(List.of()).stream()
                .filter(triplet -> triplet.contains("-linux-"))
                .forEach(triplet -> global.add("/usr/lib/" + triplet + "/nodejs"));
        for (String builtin : DEBIAN_BUILTIN) {
            reads.add(
                    "/usr/share/nodejs/" + builtin,
                    ClosureReason.RUNTIME,
                    program.name(),
                    command.confidence() * LIKELY);
        }
        new Start(program, command, new NodeResolver(reads, global), libraries).start();
    }

    /** One start. */
    private final class Start {
        private final ImageEntry.File program;
        private final Invocation command;
        private final NodeResolver resolver;
        private final SharedLibraries libraries;
        private final NamedFiles named;
        private final Map<ImageEntry.File, ScriptSource> sources = new HashMap<>();
        private final Set<String> ownNames = new HashSet<>();

        Start(ImageEntry.File program, Invocation command, NodeResolver resolver, SharedLibraries libraries) {
            this.program = program;
            this.command = command;
            this.resolver = resolver;
            this.libraries = libraries;
            this.named = new NamedFiles(reads, command);
        }

        void start() throws IOException {
            options(Arrays.asList(command.variable("NODE_OPTIONS").strip().split("\\s+")));
            List<String> words = options(command.arguments());
            if (words.isEmpty() || words.getFirst().equals("-")) {
                return;
            }
            Optional<Resolved> main = resolver.resolve(command.absolute(words.getFirst()), command.directory(), false);
            if (main.isEmpty()) {
                reads.note("the Node.js program " + words.getFirst() + " is not in the image");
                return;
            }
            load(main.get(), command.by(), command.confidence(), ClosureReason.PROGRAM);
            packageScript(main.get().file(), words.subList(1, words.size()));
        }

        /** Follows modules that options name; gives the words behind the options. */
        private List<String> options(List<String> words) throws IOException {
            int at = 0;
            while (at < words.size()
                    && words.get(at).startsWith("-")
                    && words.get(at).length() > 1) {
                String word = words.get(at);
                int equals = word.indexOf('=');
                String name = equals < 0 ? word : word.substring(0, equals);
                Optional<String> value = equals >= 0
                        ? Optional.of(word.substring(equals + 1))
                        : at + 1 < words.size() && WITH_VALUE.contains(word)
                                ? Optional.of(words.get(at + 1))
                                : Optional.empty();
                if (value.isPresent() && MODULE_OPTIONS.contains(name)) {
                    add(
                            value.get(),
                            command.directory(),
                            !name.endsWith("require"),
                            program.name(),
                            command.confidence());
                }
                at += WITH_VALUE.contains(word) ? 2 : 1;
            }
            return at >= words.size() ? List.of() : words.subList(at, words.size());
        }

        /** What {@code npm start}, {@code npm run NAME} and {@code yarn NAME} run. */
        private void packageScript(ImageEntry.File main, List<String> words) throws IOException {
            if (!main.path().name().matches("(npm-cli|yarn|pnpm)\\.c?js|npm|yarn|pnpm")) {
                return;
            }
            List<String> names = words.stream()
                    .filter(word -> !word.startsWith("-") && !word.equals("run") && !word.equals("run-script"))
                    .toList();
            Optional<NodePackage> own = resolver.scope(command.directory());
            if (names.isEmpty()
                    || own.isEmpty()
                    || own.get().script(names.getFirst()).isEmpty()) {
                return;
            }
            String path = own.get().directory() + "/node_modules/.bin:" + command.variable("PATH");
            reads.run(command.withWords(List.of("sh", "-c", own.get().script(names.getFirst())))
                    .with("PATH", path)
                    .namedBy(own.get().file().name()));
        }

        private void add(String specifier, String directory, boolean module, String by, double confidence)
                throws IOException {
            Optional<Resolved> found = resolver.resolve(specifier, directory, module);
            if (found.isPresent()) {
                reads.follow(() -> load(found.get(), by, confidence, ClosureReason.MODULE));
            }
        }

        private void load(Resolved module, String by, double confidence, ClosureReason reason) throws IOException {
            ImageEntry.File file = module.file();
            describe(module.described(), by, confidence);
            boolean follow = reads.add(file, reason, by, confidence);
            if (!file.path().name().endsWith(".json")) {
                describe(resolver.scope(file.directory()), file.name(), confidence);
            }
            if (!follow || file.path().name().endsWith(".json")) {
                return;
            }
            if (file.path().name().endsWith(".node")) {
                libraries.load(file, confidence);
                return;
            }
            ScriptSource source = sources.get(file);
            if (source == null) {
                source = reads.source(file, ScriptSource.PARSER).orElseGet(() -> ScriptSource.parse(""));
                sources.put(file, source);
            }
            follow(file, source, confidence);
        }

        private void describe(Optional<NodePackage> described, String by, double confidence) {
            described.ifPresent(d -> reads.add(d.file(), ClosureReason.CONFIGURATION, by, confidence));
        }

        private void follow(ImageEntry.File file, ScriptSource source, double confidence) throws IOException {
            boolean own =
                    !file.name().contains("/node_modules/") && !file.name().startsWith("/usr/");
            if (own) {
                ownNames.addAll(source.names());
            }
            for (ScriptSource.Import one : source.imports()) {
                double factor = one.nested() ? NESTED : 1;
                if (one.deferred()) {
                    factor = own || ownNames.contains(stem(one.specifier())) ? OWN_DEFERRED : 0;
                }
                if (factor > 0) {
                    add(one.specifier(), file.directory(), one.module(), file.name(), confidence * factor);
                }
            }
            if (own) {
                named.add(file, source.strings(), source.startsPrograms(), confidence);
                for (String text : source.strings()) {
                    // A module that is named but not imported by a constant, for example by way of a URL.
                    if (text.startsWith("/") && text.matches(".*\\.[cm]?js")) {
                        add(text, file.directory(), true, file.name(), confidence * LIKELY);
                    }
                }
            }
        }

        /** Libraries load parts when they are used, whose names the function's code then has. */
        private static String stem(String specifier) {
            String name = specifier.substring(specifier.lastIndexOf('/') + 1).toLowerCase(Locale.ROOT);
            int dot = name.indexOf('.');
            return dot > 0 ? name.substring(0, dot) : name;
        }
    }
}
