/** Learnt caches: what starts wrote into the caches of their language runtimes, for later plans. */
@NullMarked
package io.faasimage.registry.cache;

import org.jspecify.annotations.NullMarked;
