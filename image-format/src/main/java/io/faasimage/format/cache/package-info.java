/** Learnt caches: what a start of a function wrote into the caches of its language runtime. */
@NullMarked
package io.faasimage.format.cache;

import org.jspecify.annotations.NullMarked;
