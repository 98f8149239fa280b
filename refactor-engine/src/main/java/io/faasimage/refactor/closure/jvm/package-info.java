/**
 * The Java virtual machine in the static closure: its own files and those of the class path.
 */
@NullMarked
package io.faasimage.refactor.closure.jvm;

import org.jspecify.annotations.NullMarked;
