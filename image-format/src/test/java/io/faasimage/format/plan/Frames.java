package io.faasimage.format.plan;

import io.faasimage.format.id.Digest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** Made-up frames of objects of which only the size matters. */
public final class Frames {
    private Frames() {}

    /** Frames of an object of so many bytes, each of another length. */
    public static ObjectFrames of(long size) {
        List<ObjectFrames.Frame> frames = IntStream.range(0, ObjectFrames.count(size))
                .mapToObj(i -> new ObjectFrames.Frame(
                        100 + i % 1000, Digest.of(("frame " + i).getBytes(StandardCharsets.UTF_8))))
                .toList();
        return ObjectFrames.of(size, frames);
    }

    /** A prefetch list of the first {@code count} of these objects, each read as a whole. */
    public static List<PrefetchObject> prefetch(List<PlanObject> objects, int count) {
        return objects.subList(0, count).stream()
                .map(object -> PrefetchObject.whole(of(object.size())))
                .toList();
    }
}
