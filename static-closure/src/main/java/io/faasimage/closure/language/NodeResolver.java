package io.faasimage.closure.language;

import io.faasimage.closure.read.ImageEntry;
import io.faasimage.closure.read.ImageFiles;
import io.faasimage.closure.read.Reads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The resolution of module specifiers, as Node.js does it for CommonJS and ECMAScript modules; an {@code import} that
 * leads nowhere is tried as a {@code require} is. For one thread.
 *
 * @see <a href="https://nodejs.org/api/modules.html#all-together">Modules: all together</a>
 */
final class NodeResolver {
    private static final JsonMapper JSON = new JsonMapper();
    private static final List<String> EXTENSIONS = List.of("", ".js", ".json", ".node", ".cjs", ".mjs");
    private static final Set<String> CONDITIONS = Set.of("node", "default", "node-addons", "module-sync");
    private static final int MAX_DEPTH = 16;
    private static final Set<String> BUILTIN = Set.of(("assert async_hooks buffer child_process cluster console"
                    + " constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector"
                    + " module net os path perf_hooks process punycode querystring readline repl stream string_decoder"
                    + " sys timers tls trace_events tty url util v8 vm wasi worker_threads zlib")
            .split(" "));

    private final Reads reads;
    private final ImageFiles files;
    private final List<String> global;
    private final Map<String, Optional<Description>> descriptions = new HashMap<>();

    /** A {@code package.json}. */
    record Description(ImageEntry.File file, JsonNode json) {
        String text(String name) {
            return json.path(name).asString("");
        }
    }

    /** A module that was found, and the description that was read for it. */
    record Resolved(ImageEntry.File file, Optional<Description> described) {}

    /** Looks in {@code global} directories behind all {@code node_modules}. */
    NodeResolver(Reads reads, List<String> global) {
        this.reads = reads;
        this.files = reads.files();
        this.global = List.copyOf(global);
    }

    /** The module that a source in {@code directory} means. */
    Optional<Resolved> resolve(String specifier, String directory, boolean module) throws IOException {
        String top = specifier.substring(0, (specifier + "/").indexOf('/'));
        if (specifier.isEmpty() || specifier.startsWith("node:") || specifier.indexOf('\0') >= 0) {
            return Optional.empty();
        } else if (specifier.startsWith("/") || specifier.startsWith("file://")) {
            return fileOrDirectory(specifier.replaceFirst("^file://", ""));
        } else if (top.equals(".") || top.equals("..")) {
            return fileOrDirectory(directory + "/" + specifier);
        } else if (specifier.startsWith("#")) {
            Optional<Description> scope = scope(directory);
            Optional<String> target = scope.flatMap(own -> matched(own.json.path("imports"), specifier, module));
            if (target.isEmpty() || target.get().startsWith("#")) {
                return Optional.empty();
            }
            return resolve(target.get(), scope.get().file.directory(), module);
        }
        // A trailing slash requests the package of a builtin module's name.
        return BUILTIN.contains(top) && !specifier.endsWith("/")
                ? Optional.empty()
                : inPackage(specifier, directory, module);
    }

    private Optional<Resolved> inPackage(String specifier, String directory, boolean module) throws IOException {
        int slash = specifier.indexOf('/', specifier.startsWith("@") ? specifier.indexOf('/') + 1 : 0);
        String name = slash < 0 ? specifier : specifier.substring(0, slash);
        String rest = slash < 0 ? "." : "." + specifier.substring(slash);
        Optional<Description> own = scope(directory);
        if (own.isPresent()
                && own.get().text("name").equals(name)
                && own.get().json.has("exports")) {
            return exported(own.get(), rest, module);
        }
        List<String> places = new ArrayList<>();
        for (int end = directory.length(); end >= 0; end = directory.lastIndexOf('/', end - 1)) {
            places.add(directory.substring(0, end) + "/node_modules/");
        }
        global.forEach(place -> places.add(place + "/"));
        for (String place : places) {
            Optional<Resolved> found = inDirectory(place + name, rest, module);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Optional<Resolved> inDirectory(String place, String rest, boolean module) throws IOException {
        Optional<Description> described = read(place);
        if (described.isPresent() && described.get().json.has("exports")) {
            return exported(described.get(), rest, module);
        }
        return fileOrDirectory(rest.equals(".") ? place : place + rest.substring(1))
                .map(found -> new Resolved(found.file, found.described.or(() -> described)));
    }

    private Optional<Resolved> exported(Description described, String rest, boolean module) {
        JsonNode exports = described.json.path("exports");
        boolean bySubpath =
                exports.isObject() && exports.propertyNames().stream().anyMatch(key -> key.startsWith("."));
        Optional<String> target = bySubpath
                ? matched(exports, rest, module)
                : rest.equals(".") ? target(exports, "", module, 0) : Optional.empty();
        return target.flatMap(path -> files.file(described.file.directory() + "/" + path))
                .map(file -> new Resolved(file, Optional.of(described)));
    }

    /** The target of an exact key, else of the longest pattern with one star. */
    private static Optional<String> matched(JsonNode map, String key, boolean module) {
        String best = map.has(key) ? key : "";
        for (String pattern : best.isEmpty() ? map.propertyNames() : List.<String>of()) {
            int star = pattern.indexOf('*');
            if (star > best.indexOf('*')
                    && key.length() >= pattern.length() - 1
                    && key.startsWith(pattern.substring(0, star))
                    && key.endsWith(pattern.substring(star + 1))) {
                best = pattern;
            }
        }
        int star = best.indexOf('*');
        String middle = star < 0 ? "" : key.substring(star, key.length() - (best.length() - star - 1));
        return best.isEmpty() ? Optional.empty() : target(map.path(best), middle, module, 0);
    }

    private static Optional<String> target(JsonNode node, String star, boolean module, int depth) {
        if (node.isString() || depth >= MAX_DEPTH) {
            return Optional.of(node.asString("").replace("*", star));
        }
        List<JsonNode> choices = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(choices::add);
        }
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            if (CONDITIONS.contains(entry.getKey()) || entry.getKey().equals(module ? "import" : "require")) {
                choices.add(entry.getValue());
            }
        }
        return choices.stream()
                .flatMap(choice -> target(choice, star, module, depth + 1).stream())
                .findFirst();
    }

    private Optional<Resolved> fileOrDirectory(String path) throws IOException {
        Optional<ImageEntry.File> file = withExtension(path);
        if (file.isPresent() && !path.endsWith("/")) {
            return file.map(found -> new Resolved(found, Optional.empty()));
        }
        Optional<Description> described = read(path);
        String main = described.map(it -> it.text("main")).orElse("");
        Optional<ImageEntry.File> found = main.isEmpty()
                ? Optional.empty()
                : withExtension(path + "/" + main).or(() -> withExtension(path + "/" + main + "/index"));
        return found.or(() -> withExtension(path + "/index")).map(it -> new Resolved(it, described));
    }

    private Optional<ImageEntry.File> withExtension(String path) {
        return files.first(EXTENSIONS.stream().map(extension -> path + extension));
    }

    /** The description of the package that a directory is in. */
    Optional<Description> scope(String directory) throws IOException {
        String at = directory;
        while (!at.isEmpty() && !at.endsWith("/node_modules")) {
            Optional<Description> here = read(at);
            if (here.isPresent()) {
                return here;
            }
            at = at.substring(0, at.lastIndexOf('/'));
        }
        return Optional.empty();
    }

    private Optional<Description> read(String directory) throws IOException {
        Optional<Description> known = descriptions.get(directory);
        if (known == null) {
            Optional<ImageEntry.File> file = files.file(directory + "/package.json");
            known = file.isPresent() ? parse(file.get()) : Optional.empty();
            descriptions.put(directory, known);
        }
        return known;
    }

    private Optional<Description> parse(ImageEntry.File file) throws IOException {
        try {
            byte[] text = reads.text(file).getBytes(StandardCharsets.ISO_8859_1);
            return Optional.of(new Description(file, JSON.readTree(text)));
        } catch (JacksonException e) {
            reads.note(file.path() + " is not JSON");
            return Optional.empty();
        }
    }
}
