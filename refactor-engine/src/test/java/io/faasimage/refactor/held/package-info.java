/** Tests of the cache of contents that the next image has, too. */
@org.jspecify.annotations.NullMarked
package io.faasimage.refactor.held;
