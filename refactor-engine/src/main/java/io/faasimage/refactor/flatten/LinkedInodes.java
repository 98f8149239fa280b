package io.faasimage.refactor.flatten;

import io.faasimage.format.tree.Attributes;
import io.faasimage.format.tree.Inode;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The effect of one layer's hard links on the inodes that they name: containerd gives each header's owner, mode, time
 * and extended attributes to the one inode, so that the last header wins. Not thread-safe.
 */
final class LinkedInodes {
    private static final String CAPABILITY = "security.capability";

    private final Map<Inode, Attributes> attributes = new HashMap<>();
    private final Map<Inode, Inode> renewed = new HashMap<>();

    /** A header that names {@code inode} once more. */
    void link(Inode inode, Attributes header) {
        Attributes old = attributes.getOrDefault(inode, inode.attributes());
        SortedMap<String, byte[]> xattrs = new TreeMap<>(old.xattrs());
        // Linux drops the capabilities of a file that is given to an owner, even to the same one.
        xattrs.remove(CAPABILITY);
        header.xattrs().forEach((name, value) -> {
            if (inode instanceof Inode.RegularFile || !name.startsWith("user.")) {
                xattrs.put(name, value);
            }
        });
        attributes.put(
                inode,
                new Attributes(
                        inode instanceof Inode.Symlink ? old.mode() : header.mode(),
                        header.uid(),
                        header.gid(),
                        header.mtimeSeconds(),
                        header.mtimeNanos(),
                        xattrs));
    }

    /** The inode as it is after all headers; the same instance for the same inode. */
    Inode last(Inode inode) {
        Attributes last = attributes.get(inode);
        return last == null ? inode : renewed.computeIfAbsent(inode, i -> with(i, last));
    }

    private static Inode with(Inode inode, Attributes attributes) {
        return switch (inode) {
            case Inode.Directory d -> new Inode.Directory(attributes);
            case Inode.Symlink link -> new Inode.Symlink(attributes, link.target());
            case Inode.Special s -> new Inode.Special(attributes, s.kind(), s.major(), s.minor());
            case Inode.RegularFile file ->
                file.content()
                        .map(content -> Inode.RegularFile.of(attributes, file.size(), content))
                        .orElseGet(() -> Inode.RegularFile.empty(attributes));
        };
    }
}
