/** Reports of nodes: whether they are alive, what they store, and their events. */
@NullMarked
package io.faasimage.registry.node;

import org.jspecify.annotations.NullMarked;
