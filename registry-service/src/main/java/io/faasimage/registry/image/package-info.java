/** Images that functions use: how their references are resolved, and how far each is on its way to a plan. */
@NullMarked
package io.faasimage.registry.image;

import org.jspecify.annotations.NullMarked;
