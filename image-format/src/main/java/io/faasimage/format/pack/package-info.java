/** A node's packs: objects as frames in one file, their layout in it, and its table of contents. */
@NullMarked
package io.faasimage.format.pack;

import org.jspecify.annotations.NullMarked;
