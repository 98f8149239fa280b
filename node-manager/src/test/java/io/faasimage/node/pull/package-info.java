/** Tests of the pull engine against a small registry over loopback. */
@NullMarked
package io.faasimage.node.pull;

import org.jspecify.annotations.NullMarked;
