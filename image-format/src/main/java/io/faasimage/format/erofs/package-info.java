/**
 * Metadata images: a whole root file system as one EROFS image without file content. Regular files are stubs that
 * overlayfs redirects to their object; everything else is there in full. The layout on disk is the kernel's
 * {@code fs/erofs/erofs_fs.h}; what of it is used is written down in docs/formats/metadata-image.md.
 */
@NullMarked
package io.faasimage.format.erofs;

import org.jspecify.annotations.NullMarked;
