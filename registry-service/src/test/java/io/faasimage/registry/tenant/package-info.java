/** Tests of tenants. */
@NullMarked
package io.faasimage.registry.tenant;

import org.jspecify.annotations.NullMarked;
