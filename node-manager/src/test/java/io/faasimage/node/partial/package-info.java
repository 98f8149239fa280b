/** Tests of mounts of large objects in chunks. */
@NullMarked
package io.faasimage.node.partial;

import org.jspecify.annotations.NullMarked;
