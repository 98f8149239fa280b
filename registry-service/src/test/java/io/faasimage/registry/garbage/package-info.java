/** Tests of what removes what no plan needs. */
@NullMarked
package io.faasimage.registry.garbage;

import org.jspecify.annotations.NullMarked;
