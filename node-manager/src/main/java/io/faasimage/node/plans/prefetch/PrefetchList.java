package io.faasimage.node.plans.prefetch;

/** The objects that are pulled for a start ahead of its reads. */
public enum PrefetchList {
    /** The objects in the trace. */
    TRACE,
    /** Nothing: every object comes when it is read. For comparisons. */
    NONE,
    /** The whole image, before the start. For comparisons, and for functions that may never wait later. */
    ALL
}
