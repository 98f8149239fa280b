/**
 * The FUSE file system, and the only package that knows jnr-fuse. Callbacks run on libfuse's own platform threads; no
 * exception leaves one.
 */
@NullMarked
package io.faasimage.gate.fuse;

import org.jspecify.annotations.NullMarked;
