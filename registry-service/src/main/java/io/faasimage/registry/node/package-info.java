/** Reports of nodes: their health, their stored images, and their events. */
@NullMarked
package io.faasimage.registry.node;

import org.jspecify.annotations.NullMarked;
