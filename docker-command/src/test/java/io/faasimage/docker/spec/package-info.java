/** Tests. */
@NullMarked
package io.faasimage.docker.spec;

import org.jspecify.annotations.NullMarked;
