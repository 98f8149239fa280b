package io.faasimage.refactor.closure.node;

import io.faasimage.refactor.closure.image.ImageEntry;
import io.faasimage.refactor.closure.reads.Reads;
import io.faasimage.refactor.closure.runtime.JsonText;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The resolution of module specifiers, as Node.js does it for CommonJS and ECMAScript modules; an {@code import} that
 * leads nowhere is tried as a {@code require} is. For one thread.
 *
 * @see <a href="https://nodejs.org/api/modules.html#all-together">Modules: all together</a>
 */
final class NodeResolver {
    private static final List<String> EXTENSIONS = List.of("", ".js", ".json", ".node", ".cjs", ".mjs");
    private static final Set<String> BUILTIN = Set.of(
            "assert",
            "async_hooks",
            "buffer",
            "child_process",
            "cluster",
            "console",
            "constants",
            "crypto",
            "dgram",
            "diagnostics_channel",
            "dns",
            "domain",
            "events",
            "fs",
            "http",
            "http2",
            "https",
            "inspector",
            "module",
            "net",
            "os",
            "path",
            "perf_hooks",
            "process",
            "punycode",
            "querystring",
            "readline",
            "repl",
            "stream",
            "string_decoder",
            "sys",
            "timers",
            "tls",
            "trace_events",
            "tty",
            "url",
            "util",
            "v8",
            "vm",
            "wasi",
            "worker_threads",
            "zlib");

    private final Reads reads;
    private final List<String> global;
    private final Map<String, Optional<NodePackage>> packages = new HashMap<>();

    /** A module that was found, and the package whose description was read for it. */
    record Resolved(ImageEntry.File file, Optional<NodePackage> described) {}

    /** Looks in {@code global} directories behind all {@code node_modules}. */
    NodeResolver(Reads reads, List<String> global) {
        this.reads = reads;
        this.global = List.copyOf(global);
    }

    /** The module that a source in {@code directory} means. */
    Optional<Resolved> resolve(String specifier, String directory, boolean module) throws IOException {
        if (specifier.isEmpty() || specifier.startsWith("node:") || specifier.indexOf('\0') >= 0) {
            return Optional.empty();
        }
        if (specifier.startsWith("/")
                || specifier.startsWith("./")
                || specifier.startsWith("../")
                || specifier.equals(".")
                || specifier.equals("..")) {
            String path = specifier.startsWith("/") ? specifier : directory + "/" + specifier;
            return fileOrDirectory(path);
        }
        if (specifier.startsWith("file://")) {
            return fileOrDirectory(specifier.substring("file://".length()));
        }
        if (specifier.startsWith("#")) {
            Optional<NodePackage> scope = scope(directory);
            Optional<String> target = scope.flatMap(own -> own.internal(specifier, module));
            if (scope.isEmpty() || target.isEmpty() || target.get().startsWith("#")) {
                return Optional.empty();
            }
            return target.get().startsWith("./")
                    ? fileOrDirectory(scope.get().directory() + "/" + target.get())
                    : resolve(target.get(), directory, module);
        }
        int slash = specifier.indexOf('/');
        return BUILTIN.contains(slash < 0 ? specifier : specifier.substring(0, slash)) && !hasOwn(specifier, directory)
                ? Optional.empty()
                : inPackage(specifier, directory, module);
    }

    /** A trailing slash asks for the package of a builtin module's name. */
    private boolean hasOwn(String specifier, String directory) {
        return specifier.endsWith("/")
                && reads.files()
                        .directory(directory + "/node_modules/" + specifier)
                        .isPresent();
    }

    private Optional<Resolved> inPackage(String specifier, String directory, boolean module) throws IOException {
        int slash = specifier.indexOf('/');
        if (specifier.startsWith("@") && slash >= 0) {
            slash = specifier.indexOf('/', slash + 1);
        }
        String name = slash < 0 ? specifier : specifier.substring(0, slash);
        String rest = slash < 0 ? "." : "." + specifier.substring(slash);
        Optional<NodePackage> own = scope(directory);
        if (own.isPresent() && own.get().name().equals(name) && own.get().hasExports()) {
            return exported(own.get(), rest, module);
        }
        String at = directory;
        while (true) {
            if (!at.endsWith("/node_modules")) {
                Optional<Resolved> found = inDirectory(at + "/node_modules/" + name, rest, module);
                if (found.isPresent()) {
                    return found;
                }
            }
            if (at.isEmpty() || at.equals("/")) {
                break;
            }
            at = at.substring(0, at.lastIndexOf('/'));
        }
        for (String place : global) {
            Optional<Resolved> found = inDirectory(place + "/" + name, rest, module);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Resolved> inDirectory(String place, String rest, boolean module) throws IOException {
        Optional<NodePackage> described = read(place);
        if (described.isPresent() && described.get().hasExports()) {
            return exported(described.get(), rest, module);
        }
        return fileOrDirectory(rest.equals(".") ? place : place + rest.substring(1))
                .map(found -> new Resolved(found.file, found.described.or(() -> described)));
    }

    private Optional<Resolved> exported(NodePackage described, String rest, boolean module) {
        return described
                .export(rest, module)
                .flatMap(target -> reads.files().file(described.directory() + "/" + target))
                .map(file -> new Resolved(file, Optional.of(described)));
    }

    private Optional<Resolved> fileOrDirectory(String path) throws IOException {
        Optional<ImageEntry.File> file = withExtension(path);
        if (file.isPresent() && !path.endsWith("/")) {
            return file.map(found -> new Resolved(found, Optional.empty()));
        }
        Optional<NodePackage> described = read(path);
        if (described.isPresent() && !described.get().main().isEmpty()) {
            String main = path + "/" + described.get().main();
            Optional<ImageEntry.File> found = withExtension(main).or(() -> withExtension(main + "/index"));
            if (found.isPresent()) {
                return found.map(f -> new Resolved(f, described));
            }
        }
        return withExtension(path + "/index").map(found -> new Resolved(found, described));
    }

    private Optional<ImageEntry.File> withExtension(String path) {
        return EXTENSIONS.stream()
                .flatMap(extension -> reads.files().file(path + extension).stream())
                .findFirst();
    }

    /** The description of the package that a directory is in. */
    Optional<NodePackage> scope(String directory) throws IOException {
        String at = directory;
        while (!at.isEmpty() && !at.endsWith("/node_modules")) {
            Optional<NodePackage> here = read(at);
            if (here.isPresent()) {
                return here;
            }
            at = at.substring(0, at.lastIndexOf('/'));
        }
        return Optional.empty();
    }

    private Optional<NodePackage> read(String directory) throws IOException {
        Optional<NodePackage> known = packages.get(directory);
        if (known == null) {
            Optional<ImageEntry.File> file = reads.files().file(directory + "/package.json");
            known = Optional.empty();
            if (file.isPresent()) {
                known = JsonText.read(reads, file.get()).map(json -> new NodePackage(file.get(), json));
            }
            packages.put(directory, known);
        }
        return known;
    }
}
