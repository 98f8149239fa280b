/** Containers' output as json-file logs, in Docker's format: written as it comes, read by time. */
@NullMarked
package io.faasimage.docker.log;

import org.jspecify.annotations.NullMarked;
