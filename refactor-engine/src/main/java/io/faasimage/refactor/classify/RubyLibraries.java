package io.faasimage.refactor.classify;

import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ruby gems: {@code specifications/<full name>.gemspec} beside {@code gems/<full name>/}. */
final class RubyLibraries implements Classifier.Rule {
    private static final Pattern NAME = Pattern.compile("\\.name\\s*=\\s*[\"']([^\"']+)[\"']");
    private static final Pattern VERSION = Pattern.compile("\\.version\\s*=\\s*[^\"'\\n]*[\"']([^\"']+)[\"']");
    private static final Pattern FULL_NAME = Pattern.compile("(.+)-([0-9][^-]*)(-.*)?");

    @Override
    public void claim(RootFiles root) throws IOException {
        for (Map.Entry<FilePath, Inode> entry : root.all()) {
            FilePath path = entry.getKey();
            if (entry.getValue() instanceof Inode.RegularFile
                    && path.name().endsWith(".gemspec")
                    && path.parent().name().equals("specifications")) {
                root.claimPackage(path, () -> claimGem(root, path));
            }
        }
    }

    private static void claimGem(RootFiles root, FilePath specification) throws IOException {
        String fullName = specification.name().substring(0, specification.name().length() - ".gemspec".length());
        Optional<Library> library = library(root.textOf(specification).orElse(""), fullName);
        if (library.isEmpty()) {
            return;
        }
        Owner owner = Owner.of(library.get());
        FilePath home = specification.parent().parent();
        root.claim(specification, owner);
        root.claimBelow(home.child("gems").child(fullName), owner);
        root.claimBelow(home.child("doc").child(fullName), owner);
        FilePath cache = home.child("cache").child(fullName + ".gem");
        if (root.isFile(cache)) {
            root.claim(cache, owner);
        }
        for (FilePath file : root.filesBelow(home.child("extensions"))) {
            if (file.raw().contains("/" + fullName + "/")) {
                root.claim(file, owner);
            }
        }
    }

    private static Optional<Library> library(String specification, String fullName) {
        Matcher name = NAME.matcher(specification);
        Matcher version = VERSION.matcher(specification);
        if (name.find() && version.find()) {
            return Optional.of(new Library("ruby", name.group(1), version.group(1)));
        }
        Matcher parts = FULL_NAME.matcher(fullName);
        return parts.matches() ? Optional.of(new Library("ruby", parts.group(1), parts.group(2))) : Optional.empty();
    }
}
