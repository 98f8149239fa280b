/** Tests. */
@NullMarked
package io.faasimage.docker.network;

import org.jspecify.annotations.NullMarked;
