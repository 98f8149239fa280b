package io.faasimage.registry.functions.start;

import io.faasimage.api.start.StartKind;

/**
 * Why a start went as it did.
 *
 * @param node that reported it
 * @param kind of the start
 * @param text the reason
 */
public record StartReason(String node, StartKind kind, String text) {}
