package io.faasimage.node.starts.trace;

import io.faasimage.format.id.ChainId;
import io.faasimage.node.plans.partial.WholeObject;
import java.io.IOException;
import java.util.List;

/** A source of the large objects whose pages a trace observes. Thread-safe; knows only those on this node. */
@FunctionalInterface
public interface LargeObjects {
    /** Observes none. */
    LargeObjects NONE = chain -> List.of();

    /**
     * The large objects that starts of an image read, as far as they are on this node; none of an image without a plan
     * here.
     *
     * @param chain the image's layers
     */
    List<WholeObject> of(ChainId chain) throws IOException;
}
