/** What nodes tell of themselves: whether they are alive, what they hold, and what happened on them. */
@NullMarked
package io.faasimage.registry.node;

import org.jspecify.annotations.NullMarked;
