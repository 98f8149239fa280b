/**
 * Ruby in the static closure: its start-up files, gems, and what programs require.
 */
@NullMarked
package io.faasimage.refactor.closure.ruby;

import org.jspecify.annotations.NullMarked;
