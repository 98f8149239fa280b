/** Plans as OCI artifacts: their blobs, and their publication beside the images (docs/formats/artifact.md). */
@NullMarked
package io.faasimage.refactor.artifact;

import org.jspecify.annotations.NullMarked;
