/** Tests of containerd's events, over a real socket. */
@NullMarked
package io.faasimage.node.container;

import org.jspecify.annotations.NullMarked;
