package io.faasimage.node.link.start;

/**
 * A receiver of the events of starts. Called while a start waits: every call returns at once, and none throws.
 * Thread-safe.
 */
@FunctionalInterface
public interface StartEvents {
    /** No-op. */
    StartEvents NONE = event -> {};

    /** Receives an event, which happens now unless it says otherwise. */
    void accept(StartEvent event);

    /** Whether a container of this containerd namespace is starting, so that its task is of interest. */
    default boolean awaitsProcess(String namespace) {
        return false;
    }
}
