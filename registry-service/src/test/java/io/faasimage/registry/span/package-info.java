/** Tests of the way to a collector, against one in the test that reads the real protocol. */
@NullMarked
package io.faasimage.registry.span;

import org.jspecify.annotations.NullMarked;
