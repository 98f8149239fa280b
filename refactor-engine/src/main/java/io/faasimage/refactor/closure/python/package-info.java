/**
 * CPython in the static closure: its start-up files, and the modules that a program imports.
 */
@NullMarked
package io.faasimage.refactor.closure.python;

import org.jspecify.annotations.NullMarked;
