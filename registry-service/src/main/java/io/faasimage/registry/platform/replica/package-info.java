/** Several services on one database: the list of those alive, and the locks for work that only one may do at a time. */
@NullMarked
package io.faasimage.registry.platform.replica;

import org.jspecify.annotations.NullMarked;
