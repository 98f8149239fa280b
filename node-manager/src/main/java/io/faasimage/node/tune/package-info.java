/** Settings of the kernel that shorten containers' starts, and are put back. */
@NullMarked
package io.faasimage.node.tune;

import org.jspecify.annotations.NullMarked;
