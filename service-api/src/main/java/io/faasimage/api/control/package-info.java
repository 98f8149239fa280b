/** Control sockets: one JSON request line to a local process, JSON event lines and one result line back. */
@NullMarked
package io.faasimage.api.control;

import org.jspecify.annotations.NullMarked;
