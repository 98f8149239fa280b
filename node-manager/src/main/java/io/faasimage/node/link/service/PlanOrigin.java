package io.faasimage.node.link.service;

/** The place that this node gets plans from. */
public enum PlanOrigin {
    /** The service alone. */
    SERVICE,
    /** The artifacts beside the images in their registries alone; there is no service. */
    REGISTRY,
    /** The service, or the artifacts if it does not answer or has no plan. */
    BOTH
}
