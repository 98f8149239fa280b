/** Tests of the object store, with faults injected into its sources. */
@NullMarked
package io.faasimage.store;

import org.jspecify.annotations.NullMarked;
