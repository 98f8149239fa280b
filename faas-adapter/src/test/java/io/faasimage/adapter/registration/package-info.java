/** Tests of the registration package. */
@NullMarked
package io.faasimage.adapter.registration;

import org.jspecify.annotations.NullMarked;
