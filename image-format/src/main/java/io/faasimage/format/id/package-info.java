/** Identifiers, each validated once: content digests and layer chain IDs. */
@NullMarked
package io.faasimage.format.id;

import org.jspecify.annotations.NullMarked;
