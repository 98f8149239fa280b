package io.faasimage.registry.store.bundle;

import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.format.id.Digest;
import java.util.Optional;

/** The start and fill modes that are requested for an image. Thread-safe. */
@FunctionalInterface
public interface ImageModes {
    /**
     * The requested modes.
     *
     * @param start complete when any function requests it; empty when none has the setting
     * @param fill idle when any function requests it; empty when none has the setting
     */
    record Modes(Optional<StartMode> start, Optional<FillMode> fill) {}

    /** The modes of an image. */
    Modes of(Digest image);
}
