/** How what was is forgotten. */
@NullMarked
package io.faasimage.registry.history;

import org.jspecify.annotations.NullMarked;
