package io.faasimage.node.prefetch;

/** What is pulled for a start ahead of its reads. */
public enum PrefetchList {
    /** What the trace says. */
    TRACE,
    /** Nothing: every object comes when it is read. For comparisons. */
    NONE,
    /** The whole image, before the start. For comparisons, and for functions that may never wait later. */
    ALL
}
