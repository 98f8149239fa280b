/**
 * Node.js in the static closure: modules by {@code require} and {@code import}, and the packages that they are in.
 */
@NullMarked
package io.faasimage.refactor.closure.node;

import org.jspecify.annotations.NullMarked;
