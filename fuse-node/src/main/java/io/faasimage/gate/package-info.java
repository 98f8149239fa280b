/**
 * The gate: a small process to which the kernel sends, through FUSE, look-ups of objects the node does not hold. A
 * look-up fetches and publishes; the answer is never the object itself but "look in the next directory". Here are the
 * process, its options and the meaning of a look-up; {@code fetch} gets objects, {@code fuse} talks to the kernel.
 */
@NullMarked
package io.faasimage.gate;

import org.jspecify.annotations.NullMarked;
