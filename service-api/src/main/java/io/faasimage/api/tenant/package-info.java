/** Messages about tenants. */
@NullMarked
package io.faasimage.api.tenant;

import org.jspecify.annotations.NullMarked;
