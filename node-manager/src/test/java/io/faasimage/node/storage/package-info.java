/** Tests of what stays on the disks. */
@NullMarked
package io.faasimage.node.storage;

import org.jspecify.annotations.NullMarked;
