/**
 * Levers outside of faasimage that shorten containers' starts on a node: what state each is in, how it is turned on,
 * and how exactly that is undone.
 */
@NullMarked
package io.faasimage.cli.tune;

import org.jspecify.annotations.NullMarked;
