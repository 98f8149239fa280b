package io.faasimage.node.trace;

import io.faasimage.format.id.ChainId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Tracing that is switched off. */
enum NoTracing implements StartTracing {
    INSTANCE;

    @Override
    public Optional<Path> begin(String key, ChainId chain, List<String> overlayOptions) {
        return Optional.empty();
    }

    @Override
    public Optional<Path> mounted(String key) {
        return Optional.empty();
    }

    @Override
    public void removed(String key) {
        // nothing runs
    }
}
