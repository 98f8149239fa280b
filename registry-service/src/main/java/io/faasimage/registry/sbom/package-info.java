/** Software bills of materials of images: their packages, with the files of each that traced starts read. */
@NullMarked
package io.faasimage.registry.sbom;

import org.jspecify.annotations.NullMarked;
