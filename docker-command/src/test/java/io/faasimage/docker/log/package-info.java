/** Tests. */
@NullMarked
package io.faasimage.docker.log;

import org.jspecify.annotations.NullMarked;
