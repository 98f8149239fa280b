package io.faasimage.refactor.closure.node;

import io.faasimage.refactor.closure.image.ImageEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * A {@code package.json}: where a package's modules are.
 *
 * @param file of it
 * @param json its content
 * @see <a href="https://nodejs.org/api/packages.html">Packages</a>
 */
record NodePackage(ImageEntry.File file, JsonNode json) {
    private static final Set<String> COMMON = Set.of("node", "default", "node-addons", "module-sync");
    private static final int MAX_DEPTH = 16;

    String directory() {
        return file.directory();
    }

    String name() {
        return json.path("name").asString("");
    }

    String main() {
        return json.path("main").asString("");
    }

    boolean hasExports() {
        return json.has("exports");
    }

    String script(String name) {
        return json.path("scripts").path(name).asString("");
    }

    /** The target of {@code .} or {@code ./path} by {@code exports}. */
    Optional<String> export(String subpath, boolean module) {
        JsonNode exports = json.path("exports");
        boolean bySubpath =
                exports.isObject() && exports.propertyNames().stream().anyMatch(key -> key.startsWith("."));
        if (!bySubpath) {
            return subpath.equals(".") ? target(exports, "", module, 0) : Optional.empty();
        }
        return matched(exports, subpath, module);
    }

    /** The target of {@code #name} by {@code imports}. */
    Optional<String> internal(String name, boolean module) {
        return matched(json.path("imports"), name, module);
    }

    /** An exact key, else the longest pattern with one star. */
    private static Optional<String> matched(JsonNode map, String key, boolean module) {
        if (map.has(key)) {
            return target(map.path(key), "", module, 0);
        }
        String best = "";
        for (Map.Entry<String, JsonNode> entry : map.properties()) {
            String pattern = entry.getKey();
            int star = pattern.indexOf('*');
            if (star >= 0
                    && star >= best.indexOf('*')
                    && key.length() >= pattern.length() - 1
                    && key.startsWith(pattern.substring(0, star))
                    && key.endsWith(pattern.substring(star + 1))) {
                best = pattern;
            }
        }
        if (best.isEmpty()) {
            return Optional.empty();
        }
        int star = best.indexOf('*');
        String middle = key.substring(star, key.length() - (best.length() - star - 1));
        return target(map.path(best), middle, module, 0);
    }

    private static Optional<String> target(JsonNode node, String star, boolean module, int depth) {
        if (node.isString()) {
            return Optional.of(node.asString("").replace("*", star));
        }
        if (depth >= MAX_DEPTH) {
            return Optional.empty();
        }
        List<JsonNode> choices = new ArrayList<>();
        if (node.isArray()) {
            node.forEach(choices::add);
        } else {
            String own = module ? "import" : "require";
            node.properties().forEach(entry -> {
                if (COMMON.contains(entry.getKey()) || entry.getKey().equals(own)) {
                    choices.add(entry.getValue());
                }
            });
        }
        return choices.stream()
                .flatMap(choice -> target(choice, star, module, depth + 1).stream())
                .findFirst();
    }
}
