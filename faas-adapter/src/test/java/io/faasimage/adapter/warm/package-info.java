/** Tests of the warm package. */
@NullMarked
package io.faasimage.adapter.warm;

import org.jspecify.annotations.NullMarked;
