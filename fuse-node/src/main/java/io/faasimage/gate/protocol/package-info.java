/**
 * The kernel's FUSE protocol, as much of it as a tree of directories needs: bytes to requests, and replies to bytes.
 * Pure; the structures are those of {@code include/uapi/linux/fuse.h}, in the byte order of the machine.
 */
@NullMarked
package io.faasimage.gate.protocol;

import org.jspecify.annotations.NullMarked;
