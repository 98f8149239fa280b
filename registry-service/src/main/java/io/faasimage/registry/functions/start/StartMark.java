package io.faasimage.registry.functions.start;

import io.faasimage.api.start.StartKind;
import io.faasimage.api.start.StartSummary;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A start as a mark in a small time line.
 *
 * @param id of the start
 * @param at when it began
 * @param kind how it went
 * @param cold whether a part of the image had to be pulled for it
 * @param micros that it took ({@link StartSummary#tookMicros}); null when not known
 */
public record StartMark(
        String id,
        Instant at,
        StartKind kind,
        boolean cold,
        @Nullable Long micros) {}
