package io.faasimage.node.plan;

import io.faasimage.linux.MountProbe;
import io.faasimage.linux.MountProbe.Check;
import io.faasimage.linux.MountProbe.Feature;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Chooses how planned root file systems are mounted on this kernel.
 *
 * @param unsupported why they cannot be, so that their images are handled as ordinary ones; empty when they can
 * @param fileBacked whether metadata images are mounted straight from their files instead of loop devices
 */
public record MountPlanner(Optional<String> unsupported, boolean fileBacked) {
    /** The choice for what the probe found. */
    public static MountPlanner choose(MountProbe.Report report) {
        List<Feature> needed = report.works(Feature.EROFS_FILE)
                ? List.of(Feature.OVERLAY_DATA_ONLY, Feature.OVERLAY_WRITABLE, Feature.FUSE)
                : List.of(Feature.EROFS_LOOP, Feature.OVERLAY_DATA_ONLY, Feature.OVERLAY_WRITABLE, Feature.FUSE);
        String lacking = report.checks().stream()
                .filter(check -> needed.contains(check.feature()) && !check.works())
                .map(MountPlanner::describe)
                .collect(Collectors.joining("; "));
        return new MountPlanner(
                lacking.isEmpty()
                        ? Optional.empty()
                        : Optional.of("this kernel cannot mount planned images: " + lacking),
                report.works(Feature.EROFS_FILE));
    }

    private static String describe(Check check) {
        return check.feature() + " does not work (" + check.detail() + "); " + check.remedy();
    }

    /** The choice in words, with its reason. */
    public String describe() {
        if (unsupported.isPresent()) {
            return "ordinary overlay for every image: " + unsupported.get();
        }
        return fileBacked
                ? "EROFS metadata images from files under overlay with data-only layers: the kernel can all of it"
                : "EROFS metadata images on loop devices under overlay with data-only layers: the kernel does not mount "
                        + "EROFS from files";
    }
}
