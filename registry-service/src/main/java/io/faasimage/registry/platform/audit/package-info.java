/**
 * The audit log: each change with its author, origin and the state before; written in the transaction of the change.
 */
@NullMarked
package io.faasimage.registry.platform.audit;

import org.jspecify.annotations.NullMarked;
