/**
 * Starts of containers as nodes measured them, kept for some days. Written by nodes in batches, read by the dashboard
 * and {@code /v1/starts}.
 */
@NullMarked
package io.faasimage.registry.functions.start;

import org.jspecify.annotations.NullMarked;
