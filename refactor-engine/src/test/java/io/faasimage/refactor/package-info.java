/** Tests of the engine on images made on the spot. */
@NullMarked
package io.faasimage.refactor;

import org.jspecify.annotations.NullMarked;
