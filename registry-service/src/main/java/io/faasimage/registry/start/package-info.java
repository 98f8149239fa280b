/**
 * Starts of containers as nodes measured them: each for some days, and added up by hour for a year. Written by nodes in
 * batches, read by the dashboard and {@code /v1/starts}.
 */
@NullMarked
package io.faasimage.registry.start;

import org.jspecify.annotations.NullMarked;
