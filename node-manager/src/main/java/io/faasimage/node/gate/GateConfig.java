package io.faasimage.node.gate;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings of the gate's process and its supervision.
 *
 * @param command the program and its options (fuse-node's own options are part of it)
 * @param mount where it mounts
 * @param images where it shows root file systems; empty when it need not
 * @param control its control socket
 * @param registry address of the service, as the gate's status has it
 * @param startLimit until it answers
 * @param statusLimit for one answer of its control socket
 * @param probePause between two checks that it answers
 * @param probeLimit for one check
 * @param probeFailures how many checks in a row it may miss before it is killed
 * @param firstBackoff before the first restart; doubled for each further one
 * @param longestBackoff the longest
 * @param warmUp whether a gate that was started is warmed up
 */
public record GateConfig(
        List<String> command,
        Path mount,
        Optional<Path> images,
        Path control,
        String registry,
        Duration startLimit,
        Duration statusLimit,
        Duration probePause,
        Duration probeLimit,
        int probeFailures,
        Duration firstBackoff,
        Duration longestBackoff,
        boolean warmUp) {
    public GateConfig {
        command = List.copyOf(command);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the gate's command is empty");
        }
    }

    /** With the usual limits. */
    public static GateConfig of(
            List<String> command, Path mount, Optional<Path> images, Path control, String registry, boolean warmUp) {
        return new GateConfig(
                command,
                mount,
                images,
                control,
                registry,
                Duration.ofSeconds(20),
                Duration.ofSeconds(2),
                Duration.ofSeconds(3),
                Duration.ofSeconds(4),
                3,
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                warmUp);
    }
}
