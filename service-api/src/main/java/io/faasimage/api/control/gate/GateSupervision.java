package io.faasimage.api.control.gate;

import java.util.Optional;

/**
 * How the node agent's supervision of its gate goes.
 *
 * @param ready whether a gate answers
 * @param starts how often one was started
 * @param problem why none answers
 */
public record GateSupervision(boolean ready, long starts, Optional<String> problem) {}
