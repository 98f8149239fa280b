@NullMarked
package io.faasimage.node.tune;

import org.jspecify.annotations.NullMarked;
