/** Hosts of image registries: which may be reached, at which addresses, and how. */
@NullMarked
package io.faasimage.refactor.host;

import org.jspecify.annotations.NullMarked;
