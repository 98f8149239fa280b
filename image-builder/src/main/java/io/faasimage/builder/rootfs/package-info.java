/** Root file systems of images on disk, which libraries are installed in; a bounded cache of them. */
@NullMarked
package io.faasimage.builder.rootfs;

import org.jspecify.annotations.NullMarked;
