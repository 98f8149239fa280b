/** Mounts of large objects in chunks: an EROFS image without content over loop devices that have it. */
@NullMarked
package io.faasimage.node.plans.partial;

import org.jspecify.annotations.NullMarked;
