/** A built image: its configuration, the layers in their order, and its way to an OCI registry. */
@NullMarked
package io.faasimage.builder.image;

import org.jspecify.annotations.NullMarked;
