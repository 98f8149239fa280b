package io.faasimage.refactor.classify;

import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** PHP packages, by Composer's {@code vendor/composer/installed.json} of version 1 or 2. */
final class PhpLibraries implements Classifier.Rule {
    @Override
    public void claim(RootFiles root) throws IOException {
        for (Map.Entry<FilePath, Inode> entry : root.all()) {
            FilePath path = entry.getKey();
            if (entry.getValue() instanceof Inode.RegularFile
                    && path.name().equals("installed.json")
                    && path.parent().name().equals("composer")) {
                Optional<JsonNode> installed = JsonText.read(root, path);
                if (installed.isPresent()) {
                    JsonNode packages = installed.get();
                    for (JsonNode node : packages.isArray() ? packages : packages.path("packages")) {
                        root.claimPackage(path, () -> claimPackage(root, path.parent(), node));
                    }
                }
            }
        }
    }

    private static void claimPackage(RootFiles root, FilePath composer, JsonNode node) {
        String name = node.path("name").asString("");
        String version = node.path("version").asString("");
        if (name.isEmpty() || version.isEmpty()) {
            return;
        }
        String path = node.path("install-path").asString("../" + name);
        Optional<FilePath> directory = root.resolve(path.startsWith("/") ? path : composer.raw() + "/" + path);
        if (directory.isPresent()
                && directory.get().isAtOrBelow(composer.parent())
                && !directory.get().equals(composer.parent())) {
            root.claimBelow(directory.get(), Owner.of(new Library("php", name, version)));
        }
    }
}
