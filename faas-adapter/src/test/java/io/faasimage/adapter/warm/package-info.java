/** Tests of the contract package. */
@NullMarked
package io.faasimage.adapter.warm;

import org.jspecify.annotations.NullMarked;
