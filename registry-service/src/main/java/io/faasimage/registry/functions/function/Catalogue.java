package io.faasimage.registry.functions.function;

import io.faasimage.api.function.CatalogueImage;
import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The catalogue: the images of functions that have a plan, which nodes may keep ready. Each node requests it twice a
 * minute, so it is read from the database once in a while for all of them. Thread-safe.
 */
@Component
class Catalogue {
    private static final Duration AGE = Duration.ofSeconds(1);

    private final FunctionTable functions;
    private final Clock clock;
    private @Nullable Version last;
    private Instant read = Instant.MIN;

    Catalogue(FunctionTable functions, Clock clock) {
        this.functions = functions;
        this.clock = clock;
    }

    /**
     * The catalogue at some time.
     *
     * @param images the last registered first
     * @param tag the same for the same images in the same order, at every replica of the service
     */
    record Version(List<CatalogueImage> images, String tag) {
        static Version of(List<CatalogueImage> images) {
            String text = images.stream()
                    .map(image -> image.image() + " " + image.digest())
                    .collect(Collectors.joining("\n"));
            return new Version(
                    images, Digest.of(text.getBytes(StandardCharsets.UTF_8)).hex());
        }
    }

    /** As of now, or a second ago at most. */
    synchronized Version now() {
        Instant now = clock.instant();
        Version known = last;
        if (known == null || now.isBefore(read) || now.isAfter(read.plus(AGE))) {
            known = Version.of(functions.catalogue());
            last = known;
            read = now;
        }
        return known;
    }
}
