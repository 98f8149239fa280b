/**
 * The child process in which an image is refactored, with memory of its own: {@code ChildProgram} is its main class,
 * {@code ChildProcess} the service's side. They exchange JSON records by the child's standard input and output.
 */
@org.jspecify.annotations.NullMarked
package io.faasimage.registry.images.child;
