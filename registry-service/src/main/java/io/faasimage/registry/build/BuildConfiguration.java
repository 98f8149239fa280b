package io.faasimage.registry.build;

import io.faasimage.builder.BuilderConfig;
import io.faasimage.builder.ImageBuilder;
import io.faasimage.builder.egress.EgressRules;
import io.faasimage.builder.install.InstallLimits;
import io.faasimage.builder.runtime.RuntimeCatalogue;
import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.config.StartFailure;
import io.faasimage.registry.image.EngineImages;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The beans that build functions. */
@Configuration(proxyBeanMethods = false)
class BuildConfiguration {
    private static final int KEPT_OUTPUT = 1 << 20;

    @Bean
    RuntimeCatalogue runtimeCatalogue(BuildSettings settings) {
        try {
            return RuntimeCatalogue.load(Optional.ofNullable(settings.runtimes()));
        } catch (IOException e) {
            throw new StartFailure("--faasimage.build.runtimes cannot be used: " + e.getMessage(), e);
        }
    }

    @Bean
    ImageBuilder imageBuilder(BuildSettings settings, BuildFiles files, EngineImages images) throws IOException {
        @Nullable Path watchdog = settings.ofWatchdog();
        if (watchdog != null && !Files.isExecutable(watchdog)) {
            throw new StartFailure(
                    "--faasimage.build.of-watchdog=" + watchdog + " is not a program; give of-watchdog's path");
        }
        return new ImageBuilder(new BuilderConfig(
                files.roots(),
                settings.keptRuntimes(),
                settings.maxRuntime().toBytes(),
                files.layers(),
                settings.keptLibraries(),
                settings.librariesAge(),
                files.work(),
                settings.runc(),
                Optional.ofNullable(watchdog),
                new InstallLimits(
                        settings.time(),
                        settings.memory().toBytes(),
                        settings.processors(),
                        settings.io().toBytes(),
                        settings.disk().toBytes(),
                        KEPT_OUTPUT),
                settings.environment(),
                egress(settings),
                images.options()));
    }

    private static EgressRules egress(BuildSettings settings) {
        try {
            return EgressRules.parse(settings.egress());
        } catch (IllegalArgumentException e) {
            throw new StartFailure("--faasimage.build.egress cannot be used: " + e.getMessage(), e);
        }
    }
}
