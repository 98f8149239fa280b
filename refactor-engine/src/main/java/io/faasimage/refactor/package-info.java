/**
 * The refactor engine: turns an OCI image and a trace into a plan, metadata images and packs of objects. A pure
 * library: files in, files out, no service, no state of its own.
 */
@NullMarked
package io.faasimage.refactor;

import org.jspecify.annotations.NullMarked;
