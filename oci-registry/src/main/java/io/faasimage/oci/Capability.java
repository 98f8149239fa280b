package io.faasimage.oci;

import java.util.EnumSet;
import java.util.Set;

/** A kind of request that the administrator trusts a host with. */
public enum Capability {
    /** Manifests and blobs by their digests. */
    PULL,
    /** The digest that a tag stands for, which nothing verifies. */
    RESOLVE,
    /** Uploads. */
    PUSH,
    /** The list of artifacts that refer to a manifest. */
    REFERRERS;

    /** Those that a host needs to answer a GET of {@code path}, which is below its repository. */
    static Set<Capability> of(String path) {
        if (path.startsWith("referrers/")) {
            return EnumSet.of(REFERRERS);
        }
        boolean byTag = path.startsWith("manifests/") && path.indexOf(':') < 0;
        return byTag ? EnumSet.of(PULL, RESOLVE) : EnumSet.of(PULL);
    }
}
