package io.faasimage.refactor.classify;

import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Node packages: each file in {@code node_modules} belongs to the innermost package around it. */
final class NodeLibraries implements Classifier.Rule {
    private static final String MODULES = "node_modules/";

    @Override
    public void claim(RootFiles root) throws IOException {
        Map<FilePath, Optional<Owner>> packages = new HashMap<>();
        for (Map.Entry<FilePath, Inode> entry : root.all()) {
            if (!(entry.getValue() instanceof Inode.RegularFile)) {
                continue;
            }
            Optional<FilePath> directory = packageOf(entry.getKey());
            if (directory.isEmpty()) {
                continue;
            }
            FilePath place = directory.get();
            if (!packages.containsKey(place)) {
                packages.put(place, Optional.empty());
                root.claimPackage(place, () -> packages.put(place, owner(root, place)));
            }
            packages.getOrDefault(place, Optional.empty()).ifPresent(o -> root.claim(entry.getKey(), o));
        }
    }

    /** {@code .../node_modules/name} or {@code .../node_modules/@scope/name} around a file. */
    static Optional<FilePath> packageOf(FilePath file) {
        String raw = "/" + file.raw();
        int modules = raw.lastIndexOf("/" + MODULES);
        if (modules < 0) {
            return Optional.empty();
        }
        int name = modules + 1 + MODULES.length();
        int end = raw.indexOf('/', name);
        if (end > 0 && raw.charAt(name) == '@') {
            end = raw.indexOf('/', end + 1);
        }
        if (end < 0 || raw.charAt(name) == '.') {
            return Optional.empty();
        }
        return Optional.of(new FilePath(raw.substring(1, end)));
    }

    private static Optional<Owner> owner(RootFiles root, FilePath directory) throws IOException {
        Optional<JsonNode> json = JsonText.read(root, directory.child("package.json"));
        String name = json.map(j -> j.path("name").asString("")).orElse("");
        String version = json.map(j -> j.path("version").asString("")).orElse("");
        return name.isEmpty() || version.isEmpty()
                ? Optional.empty()
                : Optional.of(Owner.of(new Library("node", name, version)));
    }
}
