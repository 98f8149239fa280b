/** Tests of the contract package. */
@NullMarked
package io.faasimage.adapter.contract;

import org.jspecify.annotations.NullMarked;
