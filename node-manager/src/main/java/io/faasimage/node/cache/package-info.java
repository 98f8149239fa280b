/** Learnt caches: what traced starts write into the caches of their language runtime, on its way to the service. */
@NullMarked
package io.faasimage.node.cache;

import org.jspecify.annotations.NullMarked;
