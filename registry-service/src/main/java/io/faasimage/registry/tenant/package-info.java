/** Tenants, below everything that belongs to one: their names, the scope of a thread, and their schemas. */
@NullMarked
package io.faasimage.registry.tenant;

import org.jspecify.annotations.NullMarked;
