/**
 * Spans of starts and jobs for an OpenTelemetry collector, made when these are over. Nothing of OpenTelemetry is loaded
 * before a collector is named.
 */
@NullMarked
package io.faasimage.registry.platform.span;

import org.jspecify.annotations.NullMarked;
