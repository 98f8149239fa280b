/** The audit log: who changed what, from where, and what it was before; written in the transaction of the change. */
@NullMarked
package io.faasimage.registry.audit;

import org.jspecify.annotations.NullMarked;
