/** Tests of starts. */
@NullMarked
package io.faasimage.registry.start;

import org.jspecify.annotations.NullMarked;
