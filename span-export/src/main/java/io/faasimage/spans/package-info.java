/**
 * The export of spans to a collector by OTLP over HTTP. Nothing of OpenTelemetry is loaded before an exporter is
 * wanted.
 */
@NullMarked
package io.faasimage.spans;

import org.jspecify.annotations.NullMarked;
