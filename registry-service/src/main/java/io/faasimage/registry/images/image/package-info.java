/** Images that functions use: the resolution of their references, and the state of each on its way to a plan. */
@NullMarked
package io.faasimage.registry.images.image;

import org.jspecify.annotations.NullMarked;
