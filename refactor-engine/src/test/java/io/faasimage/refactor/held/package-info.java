/** Tests of what the service's stored contents have in common with the next image. */
@org.jspecify.annotations.NullMarked
package io.faasimage.refactor.held;
