/**
 * Spans as the processes see them: their begin and end, and the trace context that one process passes to the next.
 * Nothing here knows how spans leave the process; without an exporter {@link io.faasimage.api.span.Spans#NONE} takes
 * them.
 */
@NullMarked
package io.faasimage.api.span;

import org.jspecify.annotations.NullMarked;
