/** Tests of several services on one database. */
@NullMarked
package io.faasimage.registry.replica;

import org.jspecify.annotations.NullMarked;
