/**
 * The gate: a small process that the kernel asks, through FUSE, for objects the node does not hold. A look-up fetches
 * and publishes; the answer is never the object itself but "look in the next directory". Here are the process, its
 * options and what a look-up means; {@code fetch} gets objects, {@code fuse} talks to the kernel.
 */
@NullMarked
package io.faasimage.gate;

import org.jspecify.annotations.NullMarked;
