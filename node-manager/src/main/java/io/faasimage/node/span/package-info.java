/**
 * Which trace what this node does belongs to: what is asked and pulled for an image, the start of its container, and
 * what the gate asks for meanwhile. How spans leave the process is not known here.
 */
@NullMarked
package io.faasimage.node.span;

import org.jspecify.annotations.NullMarked;
