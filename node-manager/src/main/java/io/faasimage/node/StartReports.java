package io.faasimage.node;

import io.faasimage.node.event.Events;
import io.faasimage.node.start.ObservedStart;

/** Reports of starts on their way to the registry. */
final class StartReports implements AutoCloseable {
    private final Events events;

    StartReports(java.nio.file.Path root, io.faasimage.node.registry.RegistryLink link, Events events) {
        this.events = events;
    }

    void report(ObservedStart start) {
        events.info("start", "start: " + start);
    }

    @Override
    public void close() {}
}
