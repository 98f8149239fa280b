/**
 * The probable reads of a start while they are collected, in order, with their reasons and confidences.
 */
@NullMarked
package io.faasimage.refactor.closure.reads;

import org.jspecify.annotations.NullMarked;
