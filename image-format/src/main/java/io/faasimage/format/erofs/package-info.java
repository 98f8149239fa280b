/**
 * EROFS images. A metadata image is a whole root file system without file content: regular files are stubs that
 * overlayfs redirects to their object; everything else is there in full. A pack image has objects whose content lies as
 * zstd frames in another file. The layout on disk is the kernel's {@code fs/erofs/erofs_fs.h};
 * docs/formats/metadata-image.md and pack-image.md describe the part of it that is used.
 */
@NullMarked
package io.faasimage.format.erofs;

import org.jspecify.annotations.NullMarked;
