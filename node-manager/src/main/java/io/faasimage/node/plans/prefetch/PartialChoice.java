package io.faasimage.node.plans.prefetch;

/** The operator's choice whether large objects are used in parts. */
public enum PartialChoice {
    /** Always whole. */
    NO,
    /** In parts where a plan has pieces. */
    YES,
    /** In parts while the network is slow, as the last pulls showed. */
    AUTO
}
