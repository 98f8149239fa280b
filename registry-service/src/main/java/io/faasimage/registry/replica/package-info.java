/** Several services on one database: which of them are alive, and what only one may do at a time. */
@NullMarked
package io.faasimage.registry.replica;

import org.jspecify.annotations.NullMarked;
