package io.faasimage.registry.functions.function;

import io.faasimage.api.function.FunctionInfo;
import io.faasimage.format.id.Digest;
import io.faasimage.registry.store.bundle.ImageModes;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.springframework.stereotype.Component;

/** The start and fill modes that the functions of an image request; the most demanding one wins. Thread-safe. */
@Component
class FunctionModes implements ImageModes {
    private final FunctionTable functions;

    FunctionModes(FunctionTable functions) {
        this.functions = functions;
    }

    @Override
    public Modes of(Digest image) {
        List<FunctionInfo> all = functions.of(image);
        return new Modes(
                all.stream().map(FunctionInfo::start).filter(Objects::nonNull).max(Comparator.naturalOrder()),
                all.stream().map(FunctionInfo::fill).filter(Objects::nonNull).max(Comparator.naturalOrder()));
    }
}
