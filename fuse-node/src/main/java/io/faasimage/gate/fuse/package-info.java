/**
 * The mounts. The gate itself talks the kernel's protocol: one thread reads requests, and each look-up of an object has
 * a virtual thread of its own, so that none holds another up. The view of images is served by libfuse through jnr-fuse,
 * which no other package knows and which is loaded only then; its callbacks run on libfuse's own platform threads, and
 * no exception leaves one.
 */
@NullMarked
package io.faasimage.gate.fuse;

import org.jspecify.annotations.NullMarked;
