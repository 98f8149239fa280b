/**
 * Commands of an image: entry points, shell text, scripts, and the program files that they start.
 */
@NullMarked
package io.faasimage.refactor.closure.command;

import org.jspecify.annotations.NullMarked;
