/**
 * Streams of image layers, as registries have them: uncompressed, with bounded headers, and the files in them. Shared
 * by the refactor engine and the node agent.
 */
@NullMarked
package io.faasimage.layer;

import org.jspecify.annotations.NullMarked;
