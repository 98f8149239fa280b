package io.faasimage.refactor.classify;

import io.faasimage.format.plan.Library;
import io.faasimage.format.tree.FilePath;
import io.faasimage.format.tree.Inode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Python distributions, by their {@code .dist-info}, {@code .egg-info} or {@code .egg}.
 *
 * @see <a href="https://packaging.python.org/en/latest/specifications/recording-installed-packages/">recording
 *     installed projects</a>
 */
final class PythonLibraries implements Classifier.Rule {
    @Override
    public void claim(RootFiles root) throws IOException {
        for (Map.Entry<FilePath, Inode> entry : root.all()) {
            FilePath path = entry.getKey();
            if (path.raw().contains("/_vendor/")) {
                continue;
            }
            root.claimPackage(path, () -> claimAt(root, path, entry.getValue()));
        }
    }

    private static void claimAt(RootFiles root, FilePath path, Inode inode) throws IOException {
        if (inode instanceof Inode.RegularFile) {
            if (path.name().endsWith(".egg-info")) {
                claimEggInfo(root, path, path);
            }
        } else if (inode instanceof Inode.Directory) {
            if (path.name().endsWith(".dist-info")) {
                claimDistInfo(root, path);
            } else if (path.name().endsWith(".egg-info")) {
                claimEggInfo(root, path, path.child("PKG-INFO"));
            } else if (path.name().endsWith(".egg")) {
                owner(root, path.child("EGG-INFO").child("PKG-INFO")).ifPresent(o -> root.claimBelow(path, o));
            }
        }
    }

    private static void claimDistInfo(RootFiles root, FilePath info) throws IOException {
        Optional<Owner> owner = owner(root, info.child("METADATA"));
        if (owner.isEmpty()) {
            return;
        }
        root.claimBelow(info, owner.get());
        Optional<String> record = root.bytesOf(info.child("RECORD"));
        if (record.isEmpty()) {
            claimTopLevel(root, info, owner.get());
            return;
        }
        String site = info.parent().raw();
        record.get()
                .lines()
                .map(PythonLibraries::firstField)
                .filter(f -> !f.isEmpty())
                .forEach(field -> {
                    String name = field.startsWith("/") ? field : site + "/" + field;
                    root.resolve(name).ifPresent(file -> root.claim(file, owner.get()));
                });
    }

    /** The first field of a line of comma-separated values. */
    static String firstField(String line) {
        if (!line.startsWith("\"")) {
            int comma = line.indexOf(',');
            return comma < 0 ? line : line.substring(0, comma);
        }
        StringBuilder field = new StringBuilder();
        for (int i = 1; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (i + 1 >= line.length() || line.charAt(i + 1) != '"') {
                    break;
                }
                i++;
            }
            field.append(c);
        }
        return field.toString();
    }

    private static void claimEggInfo(RootFiles root, FilePath info, FilePath metadata) throws IOException {
        Optional<Owner> owner = owner(root, metadata);
        if (owner.isEmpty()) {
            return;
        }
        root.claimBelow(info, owner.get());
        Optional<String> installed = root.bytesOf(info.child("installed-files.txt"));
        if (installed.isPresent()) {
            installed
                    .get()
                    .lines()
                    .filter(l -> !l.isBlank())
                    .forEach(line ->
                            root.resolve(info.raw() + "/" + line).ifPresent(file -> root.claim(file, owner.get())));
        } else {
            claimTopLevel(root, info, owner.get());
        }
    }

    private static void claimTopLevel(RootFiles root, FilePath info, Owner owner) throws IOException {
        Optional<String> names = root.bytesOf(info.child("top_level.txt"));
        for (String name : names.orElse("").split("\n")) {
            if (name.matches("[A-Za-z0-9_]+")) {
                root.claimBelow(info.parent().child(name), owner);
                FilePath module = info.parent().child(name + ".py");
                if (root.isFile(module)) {
                    root.claim(module, owner);
                }
            }
        }
    }

    private static Optional<Owner> owner(RootFiles root, FilePath metadata) throws IOException {
        String name = "";
        String version = "";
        for (String line : root.textOf(metadata).orElse("").split("\r?\n")) {
            if (line.isEmpty()) {
                break;
            }
            if (name.isEmpty() && line.startsWith("Name:")) {
                name = line.substring(5).strip();
            } else if (version.isEmpty() && line.startsWith("Version:")) {
                version = line.substring(8).strip();
            }
        }
        return name.isEmpty() || version.isEmpty()
                ? Optional.empty()
                : Optional.of(Owner.of(new Library("python", name, version)));
    }
}
