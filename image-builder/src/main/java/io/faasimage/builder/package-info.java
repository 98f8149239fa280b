/**
 * The image builder: turns a function's code, its dependency file and a runtime into an image laid out as base,
 * libraries and code, and pushes it. A library: it keeps nothing but a cache of root file systems.
 */
@NullMarked
package io.faasimage.builder;

import org.jspecify.annotations.NullMarked;
