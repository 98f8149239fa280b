/** Content that functions have in common, compared pair by pair. */
@NullMarked
package io.faasimage.registry.redundancy;

import org.jspecify.annotations.NullMarked;
