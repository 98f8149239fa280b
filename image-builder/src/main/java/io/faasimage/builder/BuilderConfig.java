package io.faasimage.builder;

import io.faasimage.builder.egress.EgressRules;
import io.faasimage.builder.install.InstallLimits;
import io.faasimage.refactor.image.SourceOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a builder.
 *
 * @param roots directory of the cache of root file systems
 * @param keptRoots root file systems that stay in it
 * @param maxRootBytes largest runtime image, unpacked
 * @param layers directory of the layers of libraries that are kept
 * @param keptLayers layers that stay in it; with 0, libraries are always installed
 * @param layerAge after which libraries are installed again
 * @param work directory of running builds
 * @param runc the command that containers are run with
 * @param watchdog of-watchdog's program, put into each image when given
 * @param limits of installations
 * @param environment variables of installations: a mirror of a package index, say
 * @param egress hosts that installations may reach, besides the package registries of the runtime
 * @param registries how to reach image registries
 */
public record BuilderConfig(
        Path roots,
        int keptRoots,
        long maxRootBytes,
        Path layers,
        int keptLayers,
        Duration layerAge,
        Path work,
        String runc,
        Optional<Path> watchdog,
        InstallLimits limits,
        Map<String, String> environment,
        EgressRules egress,
        SourceOptions registries) {
    /** Checks the numbers. */
    public BuilderConfig {
        environment = Map.copyOf(environment);
        if (keptRoots < 1 || maxRootBytes < 1 || keptLayers < 0 || !layerAge.isPositive()) {
            throw new IllegalArgumentException("the limits of the builder must be positive");
        }
    }
}
