/** Plans of this service beside their images in OCI registries, for nodes that read them there. */
@NullMarked
package io.faasimage.registry.images.publish;

import org.jspecify.annotations.NullMarked;
