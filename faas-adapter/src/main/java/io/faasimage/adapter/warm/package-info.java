/**
 * Hints to nodes of functions that are likely to start, so that their prefetch lists are present before the request
 * arrives.
 */
@NullMarked
package io.faasimage.adapter.warm;

import org.jspecify.annotations.NullMarked;
