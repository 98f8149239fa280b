/** Partial objects: objects of which a node has some chunks in a pack, and gets the others when it needs them. */
@NullMarked
package io.faasimage.format.partial;

import org.jspecify.annotations.NullMarked;
