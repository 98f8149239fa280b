/** Bundles: what one pull request gets, sent straight from the packs. */
@NullMarked
package io.faasimage.registry.bundle;

import org.jspecify.annotations.NullMarked;
