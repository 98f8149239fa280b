package io.faasimage.registry.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of builds from code, as {@code --faasimage.build.<name>=<value>}.
 *
 * @param registry where images go, as {@code host:port} or {@code host/path}; without it nothing is built
 * @param runtimes directory of runtime files that change the built-in ones, or are added
 * @param runc the command that containers are run with
 * @param ofWatchdog of-watchdog's program, put into each image when given
 * @param maxArchive largest archive that is accepted
 * @param maxUnpacked largest that an archive may be unpacked
 * @param maxEntries files, directories and links that an archive may have
 * @param time how long the installation of libraries may take
 * @param memory memory that the installation may have
 * @param processors how many processors the installation may use, such as 0.5
 * @param io what the installation may read, and what it may write, a second, on the disk of the data directory
 * @param disk size of the disk that an installation gets, in a sparse file, with a file for each 16 KiB of it; from 1MB
 * @param maxRuntime largest image of a runtime, unpacked
 * @param kept finished builds that are remembered
 * @param keptOutput how long what a build printed is kept after its end
 * @param keptRuntimes root file systems of runtimes that are kept
 * @param keptLibraries layers of installed libraries that later builds with the same dependencies use; 0 for none
 * @param librariesAge after which such libraries are installed again, for versions that are not pinned
 * @param workers builds at the same time
 * @param queue builds that wait; more are answered with 429
 * @param embedded whether this process starts a builder; without, {@code faasimage-builder} runs elsewhere
 * @param environment variables of the installation, such as the address of a mirror
 * @param egress hosts that the installation may reach besides the package registries of its runtime and the hosts of
 *     {@code environment}: names, {@code *.example.com}, and {@code any} for all with an address of the Internet
 */
@ConfigurationProperties("faasimage.build")
public record BuildSettings(
        @Nullable String registry,
        @Nullable Path runtimes,
        @DefaultValue("runc") String runc,
        @Nullable Path ofWatchdog,
        @DefaultValue("100MB") DataSize maxArchive,
        @DefaultValue("512MB") DataSize maxUnpacked,
        @DefaultValue("20000") int maxEntries,
        @DefaultValue("10m") Duration time,
        @DefaultValue("1GB") DataSize memory,
        @DefaultValue("2") double processors,
        @DefaultValue("200MB") DataSize io,
        @DefaultValue("8GB") DataSize disk,
        @DefaultValue("4GB") DataSize maxRuntime,
        @DefaultValue("8") int keptRuntimes,
        @DefaultValue("20") int keptLibraries,
        @DefaultValue("1d") Duration librariesAge,
        @DefaultValue("1") int workers,
        @DefaultValue("20") int queue,
        @DefaultValue("200") int kept,
        @DefaultValue("30d") Duration keptOutput,
        @DefaultValue("true") boolean embedded,
        @DefaultValue Map<String, String> environment,
        @DefaultValue List<String> egress) {
    /** For ext4 with something in it. */
    private static final long MIN_DISK = 1 << 20;

    /** Checks the limits. */
    public BuildSettings {
        if (workers < 1
                || workers > 16
                || queue < 1
                || kept < 1
                || !keptOutput.isPositive()
                || keptRuntimes < 1
                || keptLibraries < 0
                || !librariesAge.isPositive()
                || maxEntries < 1
                || !(processors >= 0.01)
                || io.toBytes() < 1
                || disk.toBytes() < MIN_DISK) {
            throw new IllegalArgumentException(
                    "the numbers and times of faasimage.build.* must be positive, except kept-libraries, which may"
                            + " be 0, its workers 16 at most, and its disk 1MB at least");
        }
        environment = Map.copyOf(environment);
        egress = List.copyOf(egress);
    }

    /** Whether this process starts a builder: one that could push nothing is not started. */
    public boolean startsBuilder() {
        return embedded && registry != null && !registry.isBlank();
    }
}
