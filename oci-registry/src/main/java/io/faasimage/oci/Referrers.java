package io.faasimage.oci;

import io.faasimage.format.id.Digest;
import java.util.List;
import java.util.Map;

/**
 * The artifacts of one type that refer to a manifest.
 *
 * @param list in the registry's order; at most four of its pages
 * @param byTag whether the fall-back tag lists them; false when there are none
 * @param requests how many answers that took: pages and tags at all hosts, without redirects, logins and repetitions
 */
public record Referrers(List<Referrer> list, boolean byTag, int requests) {
    public Referrers {
        list = List.copyOf(list);
    }

    /**
     * An artifact.
     *
     * @param manifest its digest
     * @param size of the manifest
     * @param annotations of the manifest, as the list repeats them: not verified
     */
    public record Referrer(Digest manifest, long size, Map<String, String> annotations) {
        /** Copies the annotations. */
        public Referrer {
            annotations = Map.copyOf(annotations);
        }
    }
}
