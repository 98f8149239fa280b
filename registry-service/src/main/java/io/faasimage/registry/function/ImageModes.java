package io.faasimage.registry.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.api.image.FillMode;
import io.faasimage.api.image.StartMode;
import io.faasimage.format.id.Digest;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** The start and fill modes that the functions of an image request; the most demanding one wins. Thread-safe. */
@Component
public class ImageModes {
    /**
     * The requested modes.
     *
     * @param start complete when any function requests it; empty when none has the setting
     * @param fill idle when any function requests it; empty when none has the setting
     */
    public record Modes(Optional<StartMode> start, Optional<FillMode> fill) {}

    private final FunctionTable functions;

    ImageModes(FunctionTable functions) {
        this.functions = functions;
    }

    /** The modes that the functions of an image request. */
    public Modes of(Digest image) {
        List<FunctionInfo> all = functions.of(image);
        return new Modes(
                all.stream().map(FunctionInfo::start).filter(Objects::nonNull).max(Comparator.naturalOrder()),
                all.stream().map(FunctionInfo::fill).filter(Objects::nonNull).max(Comparator.naturalOrder()));
    }
}
