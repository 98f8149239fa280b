package io.faasimage.refactor.closure.python;

import io.faasimage.refactor.closure.elf.SharedLibraries;
import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.python.PythonModule.Kind;
import io.faasimage.refactor.closure.reads.ClosureReason;
import io.faasimage.refactor.closure.reads.Reads;
import io.faasimage.refactor.closure.runtime.NamedFiles;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The modules that one Python process imports, in order. For one thread. */
final class PythonModules {
    private static final double STEP = 0.1;
    /** In functions of the function's own code: the first request may run them. */
    private static final double OWN_DEFERRED = 0.5;

    private static final double AFTER_FAILURE = 0.9;
    private static final double AT_MODULE_LEVEL = 0.9;
    private static final double DEFERRED_ATTRIBUTE = 0.35;
    private static final double IN_EXTENSION = 0.7;
    private static final double NAMED_MODULE = 0.4;
    private static final int MAX_LEVEL = 64;
    /** What the C code of modules imports. */
    private static final Map<String, List<String>> FROM_C = Map.of(
            "socket", List.of("encodings.idna"),
            "decimal", List.of("numbers", "collections.abc"));

    private final Reads reads;
    private final PythonInstallation installation;
    private final PythonFinder finder;
    private final SharedLibraries libraries;
    private final NamedFiles named;
    private final Map<String, Double> visited = new HashMap<>();
    private final Map<String, PythonSource> sources = new HashMap<>();
    private final Map<String, Set<String>> extensions = new HashMap<>();
    private final Set<String> direct = new HashSet<>();
    private final Set<String> ownCalls = new HashSet<>();

    PythonModules(
            Reads reads,
            PythonInstallation installation,
            PythonFinder finder,
            SharedLibraries libraries,
            NamedFiles named) {
        this.reads = reads;
        this.installation = installation;
        this.finder = finder;
        this.libraries = libraries;
        this.named = named;
    }

    /** How probable it is that one of these modules is imported. */
    double confidence(String... names) {
        return Arrays.stream(names)
                .mapToDouble(name -> visited.getOrDefault(name, 0.0))
                .max()
                .orElse(0);
    }

    /** Adds a module with its packages, and what they import. Names that lead nowhere are left out. */
    boolean add(String name, String by, double confidence) throws IOException {
        boolean all = true;
        for (int dot = name.indexOf('.'); all && dot >= 0; dot = name.indexOf('.', dot + 1)) {
            all = single(name.substring(0, dot), by, confidence);
        }
        return all && single(name, by, confidence);
    }

    private boolean single(String name, String by, double confidence) throws IOException {
        Optional<PythonModule> module = finder.find(name);
        if (module.isEmpty()) {
            return false;
        }
        Double before = visited.get(name);
        if (before == null || before + STEP < confidence) {
            visited.put(name, confidence);
            reads.follow(() -> load(module.get(), by, confidence));
        }
        return true;
    }

    private void load(PythonModule module, String by, double confidence) throws IOException {
        if (module.file().isEmpty()) {
            return;
        }
        ImageEntry.File file = module.file().get();
        if (module.kind() == Kind.EXTENSION) {
            extension(module, file, by, confidence);
        } else if (module.kind() == Kind.BYTECODE) {
            reads.add(file, ClosureReason.MODULE, by, confidence);
        } else {
            if (!installation.isFrozen(module.name())) {
                for (ImageEntry.File read :
                        PythonBytecode.reads(reads, file, module.directory(), installation.minor())) {
                    reads.add(read, ClosureReason.MODULE, by, confidence);
                }
            }
            if (!module.name().equals("site")) {
                follow(file, module, false, confidence);
            }
        }
        for (String other : FROM_C.getOrDefault(module.name(), List.of())) {
            add(other, file.name(), confidence * IN_EXTENSION);
        }
    }

    private void extension(PythonModule module, ImageEntry.File file, String by, double confidence) throws IOException {
        reads.add(file, ClosureReason.MODULE, by, confidence);
        libraries.load(file, confidence);
        String top = module.name().contains(".")
                ? module.name().substring(0, module.name().indexOf('.'))
                : "";
        if (top.isEmpty() || confidence * IN_EXTENSION <= 0) {
            return;
        }
        Set<String> names = extensions.get(file.name());
        if (names == null) {
            names = reads.parse(file, new ExtensionNames(top));
            extensions.put(file.name(), names);
        }
        for (String name : names) {
            if (finder.find(name).isPresent()) {
                add(name, file.name(), confidence * IN_EXTENSION);
            }
        }
    }

    /** Adds what the program imports, whose source is read in any case. */
    void main(ImageEntry.File file, String packageName, double confidence) throws IOException {
        follow(
                file,
                new PythonModule(
                        packageName + ".__main__", Kind.SOURCE, Optional.of(file), file.directory(), List.of()),
                true,
                confidence);
    }

    /** Adds what the text of a program imports. */
    void text(String text, String by, double confidence) throws IOException {
        PythonModule main = new PythonModule("__main__", Kind.SOURCE, Optional.empty(), "", List.of());
        follow(new PythonSource.Parser(installation.minor(), true).parse(text), main, by, confidence, true);
    }

    private void follow(ImageEntry.File file, PythonModule module, boolean main, double confidence) throws IOException {
        PythonSource source = sources.get(file.name());
        if (source == null) {
            Optional<PythonSource> parsed = reads.source(file, new PythonSource.Parser(installation.minor(), main));
            if (parsed.isEmpty()) {
                return;
            }
            source = parsed.get();
            sources.put(file.name(), source);
        }
        boolean own = !installation.owns(file.name());
        if (own) {
            if (source.extendsPath()) {
                extendPath(file, source);
            }
            source.calls().values().forEach(ownCalls::addAll);
        }
        follow(source, module, file.name(), confidence, own);
        if (own) {
            named.add(file, source.strings(), source.startsPrograms(), confidence);
        } else {
            namedModules(source, module, file.name(), confidence * NAMED_MODULE);
        }
    }

    /** Modules of its own package that a library names in constants, as {@code "package.module:object"} for one. */
    private void namedModules(PythonSource source, PythonModule module, String by, double confidence)
            throws IOException {
        String name = module.name();
        String inside = (name.contains(".") ? name.substring(0, name.indexOf('.')) : name) + ".";
        for (String text : source.strings()) {
            String named = text.contains(":") ? text.substring(0, text.indexOf(':')) : text;
            if (named.startsWith(inside) && finder.find(named).isPresent()) {
                add(named, by, confidence);
            }
        }
    }

    /** Directories that a source names, and its own, where it changes {@code sys.path}. */
    private void extendPath(ImageEntry.File file, PythonSource source) {
        finder.addPlace(file.directory(), false);
        for (String text : source.strings()) {
            if (text.length() > 1 && reads.files().directory(text).isPresent() && text.startsWith("/")) {
                finder.addPlace(text, true);
            } else if (!text.isEmpty()
                    && reads.files().directory(file.directory() + "/" + text).isPresent()) {
                finder.addPlace(file.directory() + "/" + text, true);
            }
        }
    }

    private void follow(PythonSource source, PythonModule module, String by, double confidence, boolean own)
            throws IOException {
        Set<String> reached = source.reached(Set.of());
        Set<String> called = direct.contains(module.name()) ? source.reached(ownCalls) : Set.of();
        for (PythonImport one : source.imports()) {
            double factor = one.confidence();
            if (!one.function().isEmpty() && !reached.contains(one.function())) {
                factor *= own || called.contains(one.function()) ? OWN_DEFERRED : 0;
            }
            if (!one.unless().isEmpty()) {
                factor *= one.unless().stream().allMatch(other -> leadsSomewhere(other, module)) ? 0 : AFTER_FAILURE;
            }
            if (factor > 0) {
                if (own) {
                    absolute(one, module).ifPresent(name -> addDirect(name, one.names()));
                }
                follow(one, module, by, confidence * factor);
            }
        }
        for (Map.Entry<String, Boolean> attribute : source.attributes().entrySet()) {
            double factor = attribute.getValue() ? AT_MODULE_LEVEL : own ? OWN_DEFERRED : DEFERRED_ATTRIBUTE;
            attribute(attribute.getKey(), by, confidence * factor);
        }
    }

    /** The modules that the function's own code imports: their functions may be called by their names. */
    private void addDirect(String name, List<String> names) {
        if (direct.add(name)) {
            finder.find(name).map(PythonModule::places).orElse(List.of()).forEach(place -> {
                named.addDataDirectory(place);
                named.addDataDirectory(place + "/data");
            });
        }
        names.forEach(member -> direct.add(name + "." + member));
    }

    /** A submodule that its package imports when it is first used. */
    private void attribute(String name, String by, double confidence) throws IOException {
        Optional<PythonModule> parent = finder.find(PythonModule.parentOf(name));
        if (parent.isEmpty() || !parent.get().isPackage() || parent.get().file().isEmpty()) {
            return;
        }
        PythonSource source = sources.get(parent.get().file().get().name());
        if (source != null && source.isLazy() && finder.find(name).isPresent()) {
            single(name, by, confidence);
        }
    }

    private void follow(PythonImport one, PythonModule module, String by, double confidence) throws IOException {
        Optional<String> name = absolute(one, module);
        if (name.isEmpty() || (!name.get().isEmpty() && !add(name.get(), by, confidence))) {
            return;
        }
        if (name.get().equals(module.name())
                && module.isPackage()
                && !name.get().contains(".")) {
            // A package that replaces itself by the compiled module of its name in its directory, as OpenCV does.
            single(name.get() + "." + name.get(), by, confidence);
        }
        Optional<PythonModule> target = finder.find(name.get());
        if (target.isPresent() && target.get().isPackage()) {
            for (String member : one.names()) {
                String submodule = name.get() + "." + member;
                if (finder.find(submodule).isPresent()) {
                    single(submodule, by, confidence);
                }
            }
        }
    }

    private boolean leadsSomewhere(PythonImport one, PythonModule module) {
        Optional<String> name = absolute(one, module);
        return name.isPresent() && (finder.find(name.get()).isPresent() || PythonBuiltins.has(name.get()));
    }

    private static Optional<String> absolute(PythonImport one, PythonModule module) {
        if (one.level() == 0) {
            return Optional.of(one.module());
        }
        String base = module.packageName();
        for (int i = 1; i < Math.min(one.level(), MAX_LEVEL); i++) {
            base = PythonModule.parentOf(base);
        }
        if (base.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(one.module().isEmpty() ? base : base + "." + one.module());
    }
}
