package io.faasimage.builder.protocol;

import io.faasimage.builder.archive.ArchiveLimits;
import io.faasimage.builder.install.InstallLimits;
import io.faasimage.refactor.host.AddressRange;
import io.faasimage.refactor.image.ImageBudget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The settings of a service that its builders keep to; they read them when they start.
 *
 * @param workers builds that one builder runs at the same time
 * @param archives limits on the content of archives
 * @param keptRoots root file systems of runtimes that a builder keeps
 * @param maxRootBytes largest runtime image, unpacked
 * @param keptLayers layers of libraries that it keeps
 * @param layerAge after which libraries are installed again
 * @param limits of installations
 * @param environment variables of installations
 * @param egress hosts that installations may reach, besides the package registries of the runtime
 * @param registries which image registries it may reach
 * @param budget what an image may cost
 */
public record BuilderSettings(
        int workers,
        ArchiveLimits archives,
        int keptRoots,
        long maxRootBytes,
        int keptLayers,
        Duration layerAge,
        InstallLimits limits,
        Map<String, String> environment,
        List<String> egress,
        Registries registries,
        ImageBudget budget) {
    /**
     * The rules for image registries.
     *
     * @param allowed registries whose images may be used; all when empty
     * @param insecure hosts that may be spoken to without TLS
     * @param internal hosts that may have any address
     * @param refused ranges of addresses that no other host may have
     */
    public record Registries(
            List<String> allowed, List<String> insecure, List<String> internal, Set<AddressRange> refused) {
        /** Copies the collections. */
        public Registries {
            allowed = List.copyOf(allowed);
            insecure = List.copyOf(insecure);
            internal = List.copyOf(internal);
            refused = Set.copyOf(refused);
        }
    }

    /** Copies the collections. */
    public BuilderSettings {
        environment = Map.copyOf(environment);
        egress = List.copyOf(egress);
    }

    /** Variables and hosts may have passwords. */
    @Override
    public String toString() {
        return workers + " workers, " + limits;
    }
}
