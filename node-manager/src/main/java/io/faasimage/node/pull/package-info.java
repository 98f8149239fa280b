/** The pull engine: prefetch lists fetched as parallel streams, verified and published into the object store. */
@NullMarked
package io.faasimage.node.pull;

import org.jspecify.annotations.NullMarked;
