/** Tells nodes which functions are likely to start, so that their start-up sets are there before the request is. */
@NullMarked
package io.faasimage.adapter.warm;

import org.jspecify.annotations.NullMarked;
