/** Software bills of materials of images: their packages, with what traced starts read of each. */
@NullMarked
package io.faasimage.registry.sbom;

import org.jspecify.annotations.NullMarked;
