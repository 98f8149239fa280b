/** Tests of io.faasimage.builder.rootfs. */
@org.jspecify.annotations.NullMarked
package io.faasimage.builder.rootfs;
