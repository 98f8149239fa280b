/** Tests. */
@NullMarked
package io.faasimage.docker.command;

import org.jspecify.annotations.NullMarked;
