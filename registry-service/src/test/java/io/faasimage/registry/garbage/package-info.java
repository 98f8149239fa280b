/** Tests of the removal of blobs that no plan needs. */
@NullMarked
package io.faasimage.registry.garbage;

import org.jspecify.annotations.NullMarked;
