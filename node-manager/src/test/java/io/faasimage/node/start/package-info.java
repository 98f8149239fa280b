@NullMarked
package io.faasimage.node.start;

import org.jspecify.annotations.NullMarked;
