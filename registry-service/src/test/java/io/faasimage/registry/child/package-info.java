/** Tests of the child process in which an image is refactored. */
@org.jspecify.annotations.NullMarked
package io.faasimage.registry.child;
