/**
 * How a command reaches the daemon: one connection of a unix-domain socket per command, its arguments there, frames of
 * output and the exit code back.
 */
@NullMarked
package io.faasimage.docker.call;

import org.jspecify.annotations.NullMarked;
