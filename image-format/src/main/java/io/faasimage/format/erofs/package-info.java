/**
 * EROFS images. A metadata image is a whole root file system without file content: regular files are stubs that
 * overlayfs redirects to their object; everything else is there in full. A chunked image has large objects whose chunks
 * lie in other files. The layout on disk is the kernel's {@code fs/erofs/erofs_fs.h}; docs/formats/metadata-image.md
 * and chunked-image.md describe the part of it that is used.
 */
@NullMarked
package io.faasimage.format.erofs;

import org.jspecify.annotations.NullMarked;
