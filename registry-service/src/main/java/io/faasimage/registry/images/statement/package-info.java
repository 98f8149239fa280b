/** The upkeep of signed statements, and the public keys that verify them. */
@NullMarked
package io.faasimage.registry.images.statement;

import org.jspecify.annotations.NullMarked;
