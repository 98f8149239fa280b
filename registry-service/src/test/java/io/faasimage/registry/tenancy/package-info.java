/** Tests of the administration of tenants. */
@NullMarked
package io.faasimage.registry.tenancy;

import org.jspecify.annotations.NullMarked;
