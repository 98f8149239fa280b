package io.faasimage.node.pull;

import io.faasimage.node.link.event.Events;
import io.faasimage.node.link.service.ServiceLink;
import java.time.InstantSource;
import java.util.concurrent.ScheduledExecutorService;

/**
 * The collaborators that all pulls share.
 *
 * @param link to the service
 * @param sink publishes objects
 * @param places where prefetch lists go
 * @param prefault reads what came into the page cache
 * @param singles fetches objects one by one
 * @param claims which pull fetches which object
 * @param foreground the work that starts wait for
 * @param config limits
 * @param events receives fall-backs and failures
 * @param clock wall clock
 * @param scheduler watches streams
 */
record PullLines(
        ServiceLink link,
        ObjectSink sink,
        PackPlaces places,
        Prefault prefault,
        Singles singles,
        Claims claims,
        Foreground foreground,
        PullConfig config,
        Events events,
        InstantSource clock,
        ScheduledExecutorService scheduler) {}
