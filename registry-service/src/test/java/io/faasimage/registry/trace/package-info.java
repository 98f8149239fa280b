@NullMarked
package io.faasimage.registry.trace;

import org.jspecify.annotations.NullMarked;
