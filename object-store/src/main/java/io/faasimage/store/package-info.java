/**
 * The node's content-addressed objects on a local disk: written once, verified before they can be seen, shared by
 * several processes without a server. An object is one file {@code objects/<2 hex>/<62 hex>}; {@code late/} holds hard
 * links to those that arrived while a reader was looking them up.
 */
@NullMarked
package io.faasimage.store;

import org.jspecify.annotations.NullMarked;
