package io.faasimage.builder.rootfs;

import io.faasimage.builder.fault.BuildException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * A directory that is used as a root file system: names are looked up as after a chroot, so that no symbolic link leads
 * out of it. No other process may write to it meanwhile.
 */
final class RootDirectory {
    private static final int MAX_LINKS = 40;

    private final Path root;

    /** The directory that was looked up last; entries of one directory mostly follow each other. */
    private String lastName = "";

    private Path lastDirectory;

    RootDirectory(Path root) {
        this.root = root;
        this.lastDirectory = root;
    }

    Path path() {
        return root;
    }

    /** To be called when something other than a file was put in or taken away: names may lead elsewhere now. */
    void changed() {
        lastName = "";
        lastDirectory = root;
    }

    /**
     * Where {@code name} is: the links on the way are followed, one at its end is not. Directories that lack are made.
     */
    Path place(String name) throws IOException {
        Deque<String> todo = new ArrayDeque<>(parts(name));
        if (todo.isEmpty()) {
            return root;
        }
        String last = todo.removeLast();
        if (last.equals("..")) {
            throw outside(name);
        }
        String above = String.join("/", todo);
        if (!above.equals(lastName)) {
            lastDirectory = directory(todo, name);
            lastName = above;
        }
        return lastDirectory.resolve(last);
    }

    private Path directory(Deque<String> todo, String name) throws IOException {
        Path here = root;
        int links = 0;
        while (!todo.isEmpty()) {
            String part = todo.removeFirst();
            if (part.equals("..")) {
                here = here.equals(root) ? root : Objects.requireNonNullElse(here.getParent(), root);
                continue;
            }
            Path next = here.resolve(part);
            if (Files.isSymbolicLink(next)) {
                if (++links > MAX_LINKS) {
                    throw outside(name);
                }
                String target = Files.readSymbolicLink(next).toString();
                here = target.startsWith("/") ? root : here;
                parts(target).reversed().forEach(todo::addFirst);
            } else {
                if (!Files.isDirectory(next, LinkOption.NOFOLLOW_LINKS)) {
                    Files.deleteIfExists(next);
                    Files.createDirectory(next);
                }
                here = next;
            }
        }
        return here;
    }

    private static List<String> parts(String name) {
        return List.of(name.split("/")).stream()
                .filter(part -> !part.isEmpty() && !part.equals("."))
                .toList();
    }

    private static BuildException outside(String name) {
        return new BuildException(
                BuildException.Kind.MACHINE, "the runtime's image has an entry '" + name + "' with an unusable path");
    }
}
