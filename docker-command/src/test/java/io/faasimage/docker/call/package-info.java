/** Tests. */
@NullMarked
package io.faasimage.docker.call;

import org.jspecify.annotations.NullMarked;
