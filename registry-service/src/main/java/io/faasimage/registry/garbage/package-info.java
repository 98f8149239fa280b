/** What no plan needs any more: found, and removed when it has been so for a while. */
@NullMarked
package io.faasimage.registry.garbage;

import org.jspecify.annotations.NullMarked;
