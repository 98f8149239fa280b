/**
 * Perl in the static closure: modules by {@code use} and {@code require}.
 */
@NullMarked
package io.faasimage.refactor.closure.perl;

import org.jspecify.annotations.NullMarked;
