@NullMarked
package io.faasimage.node.identity;

import org.jspecify.annotations.NullMarked;
