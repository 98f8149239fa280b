@NullMarked
package io.faasimage.builder.protocol;

import org.jspecify.annotations.NullMarked;
