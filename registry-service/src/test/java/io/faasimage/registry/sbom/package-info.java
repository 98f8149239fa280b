/** Tests of bills of materials. */
@NullMarked
package io.faasimage.registry.sbom;

import org.jspecify.annotations.NullMarked;
