/** Tests of the bench. */
@NullMarked
package io.faasimage.bench;

import org.jspecify.annotations.NullMarked;
