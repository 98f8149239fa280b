package io.faasimage.registry.build;

import io.faasimage.builder.archive.ArchiveLimits;
import io.faasimage.builder.egress.EgressRules;
import io.faasimage.builder.install.InstallLimits;
import io.faasimage.builder.protocol.BuilderSettings;
import io.faasimage.builder.runtime.RuntimeCatalogue;
import io.faasimage.registry.config.BudgetSettings;
import io.faasimage.registry.config.BuildSettings;
import io.faasimage.registry.config.ImageRegistrySettings;
import io.faasimage.registry.config.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The configuration of builds: their beans, and the settings that builders receive. */
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
    BuildQueue buildQueue(BuildSettings settings) {
        return new BuildQueue(settings.queue(), System::nanoTime);
    }

    @Bean
    BuilderSettings builderSettings(BuildSettings settings, ImageRegistrySettings registries, BudgetSettings budget) {
        checkEgress(settings);
        checkWatchdog(settings);
        return new BuilderSettings(
                settings.workers(),
                new ArchiveLimits(settings.maxUnpacked().toBytes(), settings.maxEntries()),
                settings.keptRuntimes(),
                settings.maxRuntime().toBytes(),
                settings.keptLibraries(),
                settings.librariesAge(),
                new InstallLimits(
                        settings.time(),
                        settings.memory().toBytes(),
                        settings.processors(),
                        settings.io().toBytes(),
                        settings.disk().toBytes(),
                        KEPT_OUTPUT),
                settings.environment(),
                settings.egress(),
                new BuilderSettings.Registries(
                        registries.allowedRegistries(),
                        registries.insecureRegistries(),
                        registries.internalRegistries(),
                        registries.refusedAddresses()),
                budget.budget());
    }

    private static void checkWatchdog(BuildSettings settings) {
        @Nullable Path watchdog = settings.ofWatchdog();
        if (watchdog != null && !Files.isExecutable(watchdog)) {
            throw new StartFailure(
                    "--faasimage.build.of-watchdog=" + watchdog + " is not a program; give of-watchdog's path");
        }
    }

    private static void checkEgress(BuildSettings settings) {
        try {
            EgressRules.parse(settings.egress());
        } catch (IllegalArgumentException e) {
            throw new StartFailure("--faasimage.build.egress cannot be used: " + e.getMessage(), e);
        }
    }
}
