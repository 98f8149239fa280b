package io.faasimage.api.start;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The way in which a start went: {@code class} in JSON. */
public enum StartKind {
    /** From a planned image; every object that was read was present or on its way. */
    @JsonProperty("lazy")
    LAZY,
    /** From a planned image, with objects fetched on demand that its plan had not foreseen. */
    @JsonProperty("misses")
    MISSES,
    /** As an unplanned image. */
    @JsonProperty("full")
    FULL,
    /** Not at all. */
    @JsonProperty("refused")
    REFUSED
}
