/** Tests of records. */
@NullMarked
package io.faasimage.node.record;

import org.jspecify.annotations.NullMarked;
