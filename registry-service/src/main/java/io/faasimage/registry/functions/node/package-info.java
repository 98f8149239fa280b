/** Reports of nodes: their health, their stored images, and their events. */
@NullMarked
package io.faasimage.registry.functions.node;

import org.jspecify.annotations.NullMarked;
