package io.faasimage.closure.language;

import io.faasimage.closure.language.PythonSource.Import;
import io.faasimage.closure.program.ProgramStart;
import io.faasimage.closure.read.ContentParser;
import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.Reads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
    /** The modules without files: compiled into Python, in every build or in most distributions' ones. */
    private static final Set<String> BUILTIN = Set.of(("sys builtins _imp _thread _weakref _io marshal posix time _abc"
                    + " _codecs _collections _functools _locale _operator _signal _sre _stat _string _symtable"
                    + " _tracemalloc _warnings atexit errno faulthandler gc itertools pwd _ast array math _struct"
                    + " _datetime _json _random _socket select zlib binascii cmath fcntl grp _bisect _heapq _md5 _sha1"
                    + " _sha256 _sha512 _sha3 _blake2 _csv _pickle _posixsubprocess _statistics unicodedata _zoneinfo"
                    + " _typing _tokenize _opcode _elementtree pyexpat")
            .split(" "));
    /** The imports in the C code of modules. */
    private static final Map<String, List<String>> FROM_C = Map.of(
            "socket", List.of("encodings.idna"),
            "decimal", List.of("numbers", "collections.abc"));
    /** The head of byte code: see PEP 552. */
    private static final ContentParser<byte[]> HEADER = content -> content.head(16);

    private final Reads reads;
    private final ProgramStart start;
    private final PythonInstallation installation;
    private final PythonFinder finder;
    private final NamedFiles named;
    private final Map<String, Double> visited = new HashMap<>();
    private final Map<String, PythonSource> sources = new HashMap<>();
    private final Set<String> direct = new HashSet<>();
    private final Set<String> ownCalls = new HashSet<>();

    PythonModules(ProgramStart start, PythonInstallation installation, PythonFinder finder) {
        this.reads = start.reads();
        this.start = start;
        this.installation = installation;
        this.finder = finder;
        this.named = new NamedFiles(start);
    }

    /** The probability that a module is imported. */
    double confidence(String name) {
        return visited.getOrDefault(name, 0.0);
    }

    /** Adds a module with its packages and their imports. Names that lead nowhere are left out. */
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
        if (!module.isSource()) {
            reads.add(file, by, confidence);
        } else {
            if (!installation.isFrozen(module.name())) {
                compiled(file, module.directory(), by, confidence);
            }
            if (!module.name().equals("site")) {
                follow(file, module, confidence);
            }
        }
        if (module.isExtension()) {
            start.libraries().load(file, confidence);
            String top = module.name().substring(0, Math.max(0, module.name().indexOf('.')));
            for (String name : top.isEmpty() ? Set.<String>of() : reads.parse(file, new ExtensionNames(top))) {
                if (finder.find(name).isPresent()) {
                    add(name, file.name(), confidence * IN_EXTENSION);
                }
            }
        }
        for (String other : FROM_C.getOrDefault(module.name(), List.of())) {
            add(other, file.name(), confidence * IN_EXTENSION);
        }
    }

    /** Adds the byte code of a source where it is valid, else both; byte code may be valid by its source's hash. */
    private void compiled(ImageEntry.File source, String directory, String by, double confidence) throws IOException {
        String stem = source.path().name().replaceFirst("\\.py$", "");
        String path = directory + "/__pycache__/" + stem + ".cpython-3" + installation.minor() + ".pyc";
        Optional<ImageEntry.File> compiled = reads.files().file(path);
        boolean valid = false;
        if (compiled.isPresent()) {
            ByteBuffer head =
                    ByteBuffer.wrap(reads.parse(compiled.get(), HEADER)).order(ByteOrder.LITTLE_ENDIAN);
            int flags = head.limit() < 16 ? 0 : head.getInt(4);
            valid = head.limit() == 16
                    && (flags == 0
                            ? head.getInt(8) == (int) source.modified() && head.getInt(12) == (int) source.size()
                            : flags == 1);
            reads.add(compiled.get(), by, confidence);
        }
        if (!valid) {
            reads.add(source, by, confidence);
        }
    }

    /** Adds the imports of the program, whose source is read in any case. */
    void main(ImageEntry.File file, String packageName, double confidence) throws IOException {
        String name = packageName + ".__main__";
        follow(file, new PythonModule(name, Optional.of(file), file.directory(), List.of()), confidence);
    }

    /** Adds the imports in the text of a program. */
    void text(String text, String by, double confidence) throws IOException {
        PythonModule main = new PythonModule("__main__", Optional.empty(), "", List.of());
        follow(PythonSource.parse(text), main, by, confidence, true);
    }

    private void follow(ImageEntry.File file, PythonModule module, double confidence) throws IOException {
        PythonSource source = sources.get(file.name());
        if (source == null) {
            Optional<PythonSource> parsed = reads.source(file, PythonSource.PARSER);
            if (parsed.isEmpty()) {
                return;
            }
            source = parsed.get();
            sources.put(file.name(), source);
        }
        boolean own = !installation.owns(file.name());
        if (own && source.extendsPath()) {
            extendPath(file, source);
        }
        if (own) {
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
        String inside = (module.name() + ".").substring(0, (module.name() + ".").indexOf('.') + 1);
        for (String text : source.strings()) {
            String name = text.substring(0, (text + ":").indexOf(':'));
            if (name.startsWith(inside) && finder.find(name).isPresent()) {
                add(name, by, confidence);
            }
        }
    }

    /** Directories that a source names, and its own, where it changes {@code sys.path}. */
    private void extendPath(ImageEntry.File file, PythonSource source) {
        finder.addPlace(file.directory(), false);
        for (String text : source.strings()) {
            String place = text.startsWith("/") ? text : file.directory() + "/" + text;
            if (text.length() > 1 && reads.files().directory(place).isPresent()) {
                finder.addPlace(place, true);
            }
        }
    }

    private void follow(PythonSource source, PythonModule module, String by, double confidence, boolean own)
            throws IOException {
        Set<String> reached =
                source.reached(module.name().endsWith(PythonSource.MAIN) ? Set.of(PythonSource.MAIN) : Set.of());
        Set<String> called = direct.contains(module.name()) ? source.reached(ownCalls) : Set.of();
        for (Import one : source.imports()) {
            double factor = one.confidence();
            if (!one.function().isEmpty() && !reached.contains(one.function())) {
                boolean runs = own ? !one.function().equals(PythonSource.MAIN) : called.contains(one.function());
                factor *= runs ? OWN_DEFERRED : 0;
            }
            if (!one.unless().isEmpty()) {
                factor *= one.unless().stream().allMatch(other -> leadsSomewhere(other, module)) ? 0 : AFTER_FAILURE;
            }
            Optional<String> name = absolute(one, module);
            if (factor > 0 && name.isPresent()) {
                if (own) {
                    addDirect(name.get(), one.names());
                }
                follow(name.get(), one.names(), module, by, confidence * factor);
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
        Optional<ImageEntry.File> parent = finder.find(PythonModule.parentOf(name))
                .filter(PythonModule::isPackage)
                .flatMap(PythonModule::file);
        PythonSource source = parent.isEmpty() ? null : sources.get(parent.get().name());
        if (source != null && source.calls().containsKey("__getattr__")) {
            single(name, by, confidence);
        }
    }

    private void follow(String name, List<String> names, PythonModule module, String by, double confidence)
            throws IOException {
        if (!name.isEmpty() && !add(name, by, confidence)) {
            return;
        }
        if (name.equals(module.name()) && module.isPackage() && !name.contains(".")) {
            // A package that replaces itself by the compiled module of its name in its directory, as OpenCV does.
            single(name + "." + name, by, confidence);
        }
        if (finder.find(name).map(PythonModule::isPackage).orElse(false)) {
            for (String member : names) {
                single(name + "." + member, by, confidence);
            }
        }
    }

    private boolean leadsSomewhere(Import one, PythonModule module) {
        return absolute(one, module)
                .filter(name -> finder.find(name).isPresent() || BUILTIN.contains(name))
                .isPresent();
    }

    private static Optional<String> absolute(Import one, PythonModule module) {
        if (one.level() == 0) {
            return Optional.of(one.module());
        }
        String base = module.packageName();
        for (int i = 1; i < Math.min(one.level(), MAX_LEVEL); i++) {
            base = PythonModule.parentOf(base);
        }
        String name = base + "." + one.module();
        return base.isEmpty() ? Optional.empty() : Optional.of(one.module().isEmpty() ? base : name);
    }
}
