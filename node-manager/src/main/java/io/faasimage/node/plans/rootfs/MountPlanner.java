package io.faasimage.node.plans.rootfs;

import io.faasimage.linux.MountProbe;
import io.faasimage.linux.MountProbe.Check;
import io.faasimage.linux.MountProbe.Feature;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The way in which planned root file systems are mounted on this kernel, and the reason for it.
 *
 * @param way chosen
 * @param reason for people
 */
public record MountPlanner(Way way, String reason) {
    /** The ways, best first. */
    public enum Way {
        /** EROFS straight from a file, below an overlay with data-only layers. */
        EROFS_FILE("native: EROFS metadata images from files under overlay with data-only layers"),
        /** The same with EROFS on a loop device. */
        EROFS_LOOP("native: EROFS metadata images on loop devices under overlay with data-only layers"),
        /** A plain overlay on a root file system that the gate shows. */
        FUSE("fuse: root file systems served by the gate under plain overlay"),
        /** Not at all: their images are handled as ordinary ones. */
        ORDINARY("plain overlay for every image; no image is planned");

        private final String text;

        /** One word. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether the kernel alone mounts root file systems, with data-only layers. */
        public boolean isNative() {
            return this == EROFS_FILE || this == EROFS_LOOP;
        }

        Way(String text) {
            this.text = text;
        }
    }

    private static final List<Feature> NEEDED_ALWAYS = List.of(Feature.OVERLAY_WRITABLE, Feature.FUSE);

    /** The choice by the probe's findings and the operator's wish. */
    public static MountPlanner choose(MountProbe.Report report, MountChoice choice) {
        String lackingAlways = lacking(report, NEEDED_ALWAYS);
        if (!lackingAlways.isEmpty()) {
            return new MountPlanner(Way.ORDINARY, "this kernel cannot mount planned images: " + lackingAlways);
        }
        if (choice == MountChoice.FUSE) {
            return new MountPlanner(Way.FUSE, "--mounts fuse requests it");
        }
        String lackingNative = lacking(
                report,
                report.works(Feature.EROFS_FILE)
                        ? List.of(Feature.OVERLAY_DATA_ONLY)
                        : List.of(Feature.OVERLAY_DATA_ONLY, Feature.EROFS_LOOP));
        if (lackingNative.isEmpty()) {
            return report.works(Feature.EROFS_FILE)
                    ? new MountPlanner(Way.EROFS_FILE, "the kernel supports all of it")
                    : new MountPlanner(Way.EROFS_LOOP, "the kernel does not mount EROFS from files");
        }
        return choice == MountChoice.NATIVE
                ? new MountPlanner(Way.ORDINARY, "--mounts native forbids the gate's view, and " + lackingNative)
                : new MountPlanner(Way.FUSE, lackingNative);
    }

    private static String lacking(MountProbe.Report report, List<Feature> needed) {
        return report.checks().stream()
                .filter(check -> needed.contains(check.feature()) && !check.works())
                .map(MountPlanner::describe)
                .collect(Collectors.joining("; "));
    }

    private static String describe(Check check) {
        return check.feature() + " does not work (" + check.detail() + "); " + check.remedy();
    }

    /** Why planned root file systems cannot be mounted, so that their images are handled as ordinary ones. */
    public Optional<String> unsupported() {
        return way == Way.ORDINARY ? Optional.of(reason) : Optional.empty();
    }

    /** The choice in words, with its reason. */
    public String describe() {
        return way.text + ": " + reason;
    }
}
