package io.faasimage.api.control.node;

/**
 * A request to end the node agent.
 *
 * @param gate whether the gate is to end, too
 */
public record StopRequest(boolean gate) {}
