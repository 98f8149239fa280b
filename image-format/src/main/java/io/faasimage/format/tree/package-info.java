/** The flattened root file system of an image: paths as raw bytes, inodes and their attributes, hard links. */
@NullMarked
package io.faasimage.format.tree;

import org.jspecify.annotations.NullMarked;
