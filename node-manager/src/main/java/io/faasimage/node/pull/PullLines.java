package io.faasimage.node.pull;

import io.faasimage.format.id.Digest;
import io.faasimage.node.event.Events;
import io.faasimage.node.registry.RegistryLink;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/**
 * What all pulls share.
 *
 * @param link to the registry
 * @param sink publishes objects
 * @param config limits
 * @param events takes fall-backs and failures
 * @param clock wall clock
 * @param scheduler watches streams
 * @param have plans whose start-up sets are held
 */
record PullLines(
        RegistryLink link,
        ObjectSink sink,
        PullConfig config,
        Events events,
        InstantSource clock,
        ScheduledExecutorService scheduler,
        Supplier<List<Digest>> have) {}
