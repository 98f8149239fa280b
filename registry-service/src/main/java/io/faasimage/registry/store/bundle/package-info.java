/** Bundles: the answers to pull requests, sent straight from the packs. */
@NullMarked
package io.faasimage.registry.store.bundle;

import org.jspecify.annotations.NullMarked;
