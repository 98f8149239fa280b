/**
 * The interface of language runtimes to the static closure, and what several of them share.
 */
@NullMarked
package io.faasimage.refactor.closure.runtime;

import org.jspecify.annotations.NullMarked;
