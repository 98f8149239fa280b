package io.faasimage.registry.platform.config;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the child processes in which images are refactored, as {@code --faasimage.refactor.<name>=<value>}.
 *
 * @param memory heap of one job's process, 64MB at least: an image with more files than it has room for is refused. The
 *     rest of the process's memory is limited, too
 */
@ConfigurationProperties("faasimage.refactor")
public record RefactorSettings(@DefaultValue("288MB") DataSize memory) {
    private static final DataSize LEAST = DataSize.ofMegabytes(64);

    /** Checks the limit. */
    public RefactorSettings {
        if (memory.compareTo(LEAST) < 0) {
            throw new IllegalArgumentException("faasimage.refactor.memory must be 64MB or more, not " + memory);
        }
    }
}
