/** Tests. */
@NullMarked
package io.faasimage.docker.container;

import org.jspecify.annotations.NullMarked;
