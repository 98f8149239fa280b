/** The administration of tenants by operators, and the enforcement of quotas. */
@NullMarked
package io.faasimage.registry.tenancy;

import org.jspecify.annotations.NullMarked;
