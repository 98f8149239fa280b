package io.faasimage.node.gate;

import io.faasimage.api.control.object.ObjectOperations;
import io.faasimage.node.link.event.Events;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The warm-up of a gate that was just started, and of the code here that serves it: look-ups through its mount, as a
 * container's, of an object that is nowhere. Otherwise the first objects that a start waits for wait for the JVMs' code
 * as well (decision 51).
 */
final class GateWarmUp {
    /** Enough for the first compiler (Tier3InvocationThreshold, 200). */
    private static final int LOOKUPS = 300;

    private final Path object;
    private final Events events;

    /** A warm-up of the gate at {@code mount}. */
    GateWarmUp(Path mount, Events events) {
        String hex = ObjectOperations.WARM_UP.hex();
        this.object = mount.resolve("fetch").resolve(hex.substring(0, 2)).resolve(hex.substring(2));
        this.events = events;
    }

    /** Runs in the background. Returns at once. */
    void start() {
        Thread.ofPlatform().name("gate-warm-up").daemon().start(this::run);
    }

    private void run() {
        long begin = System.nanoTime();
        try {
            for (int i = 0; i < LOOKUPS; i++) {
                lookUp();
            }
            events.info(
                    GateSupervisor.TOPIC,
                    LOOKUPS + " look-ups of nothing in " + (System.nanoTime() - begin) / 1_000_000
                            + " ms: the gate is warm");
        } catch (IOException e) {
            events.info(GateSupervisor.TOPIC, "its warm-up ended early: " + Events.reason(e));
        }
    }

    private void lookUp() throws IOException {
        try {
            Files.readAttributes(object, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            // As it should.
        }
    }
}
