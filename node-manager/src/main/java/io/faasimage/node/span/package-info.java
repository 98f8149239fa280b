/**
 * Spans of this node: requests and pulls for an image, the start of its container, and the gate's look-ups meanwhile.
 * How spans leave the process is not known here.
 */
@NullMarked
package io.faasimage.node.span;

import org.jspecify.annotations.NullMarked;
