package io.faasimage.api.control.gate;

import java.util.Optional;

/**
 * The state of the node agent's supervision of its gate.
 *
 * @param ready whether a gate answers
 * @param starts how often one was started
 * @param problem why none answers
 */
public record GateSupervision(boolean ready, long starts, Optional<String> problem) {}
