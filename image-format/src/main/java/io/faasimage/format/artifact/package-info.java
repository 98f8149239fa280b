/** Plans as OCI artifacts beside their images (docs/formats/artifact.md). */
@NullMarked
package io.faasimage.format.artifact;

import org.jspecify.annotations.NullMarked;
