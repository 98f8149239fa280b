package io.faasimage.node.rootfs;

import io.faasimage.linux.MountTable;
import io.faasimage.node.event.Events;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The data-only layers of planned root file systems: objects of the fast tier and of the root, the gate's fetch, late
 * objects of both, the gate's verdict. Thread-safe.
 */
public final class DataLayers {
    /** Regular expression of a digest's name. */
    static final String HEX_DIGEST = "[0-9a-f]{64}";

    private static final Pattern PLANNED_LAYER =
            Pattern.compile("(?:^|/)mounts/(meta|loop|nested)/(" + HEX_DIGEST + ")$");

    private final Path root;
    private final Optional<Path> fast;
    private final Events events;

    /**
     * The layers of a node.
     *
     * @param root its state directory
     * @param fast directory of the fast tier
     */
    public DataLayers(Path root, Optional<Path> fast, Events events) {
        this.root = root;
        this.fast = fast;
        this.events = events;
    }

    /** As they follow a metadata image in {@code lowerdir}. */
    String text() {
        return text(Optional.empty());
    }

    /** With a layer of partial objects, for objects that are not present. */
    String text(Optional<Path> partial) {
        Path gate = root.resolve("gate");
        Optional<Path> above = fast.filter(this::isThere);
        return above.map(tier -> "::" + tier.resolve("objects")).orElse("") + "::" + root.resolve("objects")
                + partial.map(layer -> "::" + layer).orElse("") + "::" + gate.resolve("fetch")
                + above.map(tier -> "::" + tier.resolve("late")).orElse("") + "::" + root.resolve("late") + "::"
                + gate.resolve("verdict");
    }

    private boolean isThere(Path tier) {
        boolean there = Files.isDirectory(tier.resolve("objects")) && Files.isDirectory(tier.resolve("late"));
        if (!there) {
            events.fallback(
                    "mount",
                    "a root file system is mounted without the fast tier, as " + tier
                            + " is gone; mount it again and restart the agent");
        }
        return there;
    }

    /**
     * Whether {@code file} is this node's file, or fast tier's copy, of the metadata image with the digest {@code hex}.
     */
    boolean isMetadataImage(Path file, String hex) {
        String name = "metadata/" + hex + ".erofs";
        return file.equals(root.resolve(name))
                || fast.filter(tier -> file.equals(tier.resolve(name))).isPresent();
    }

    /**
     * How many containers of planned images run on the kernel's mounts without a fast tier: they would not find the
     * objects in it.
     */
    public static long withoutFast(MountTable table, Path root, Path fast) {
        Path nested = root.resolve("mounts/nested");
        return table.entries().stream()
                .filter(entry -> entry.type().equals("overlay")
                        && !Path.of(entry.target()).startsWith(nested))
                .filter(entry -> layers(entry, root).anyMatch(layer -> lacks(layer, entry, table, nested, fast)))
                .map(MountTable.Entry::device)
                .distinct()
                .count();
    }

    private static boolean lacks(Matcher layer, MountTable.Entry container, MountTable table, Path nested, Path fast) {
        if (!layer.group(1).equals("nested")) {
            return !has(container, fast);
        }
        return table.entries().stream()
                .filter(entry -> Path.of(entry.target()).equals(nested.resolve(layer.group(2))))
                .noneMatch(inner -> has(inner, fast));
    }

    private static Stream<Matcher> layers(MountTable.Entry overlay, Path root) {
        // A shortened path does not show whose it is: it counts as ours.
        return parts(overlay)
                .filter(part -> !part.startsWith("/") || part.startsWith(root + "/"))
                .map(PLANNED_LAYER::matcher)
                .filter(Matcher::find);
    }

    /** containerd may have shortened paths to the parts that differ, so only the ends of them are looked at. */
    private static boolean has(MountTable.Entry overlay, Path fast) {
        String end = "/" + fast.getFileName() + "/objects";
        return parts(overlay).anyMatch(part -> ("/" + part).endsWith(end));
    }

    private static Stream<String> parts(MountTable.Entry overlay) {
        return Arrays.stream(overlay.superOptions().split("[,:=]", -1));
    }
}
