package io.faasimage.node.containerd.snapshot;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.starts.trace.StartTracing;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Traces that a test sets. */
final class FakeTracing implements StartTracing {
    final List<String> begun = new ArrayList<>();
    final List<String> ended = new ArrayList<>();
    Optional<Path> directory = Optional.empty();
    boolean fails;
    Consumer<String> onRemoved = key -> {};

    @Override
    public Optional<Path> begin(String key, ChainId chain, List<String> overlayOptions) throws IOException {
        if (fails) {
            throw new IOException("no fanotify");
        }
        begun.add(key + " " + chain);
        return directory;
    }

    @Override
    public Optional<Path> mounted(String key) {
        return ended.contains(key) || begun.isEmpty() ? Optional.empty() : directory;
    }

    @Override
    public void removed(String key) {
        onRemoved.accept(key);
        ended.add(key);
    }
}
