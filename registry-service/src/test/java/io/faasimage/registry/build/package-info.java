/** Tests of the builds of images from code. */
@NullMarked
package io.faasimage.registry.build;

import org.jspecify.annotations.NullMarked;
