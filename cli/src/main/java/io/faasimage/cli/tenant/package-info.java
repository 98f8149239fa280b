/** Commands about tenants, for operators. */
@NullMarked
package io.faasimage.cli.tenant;

import org.jspecify.annotations.NullMarked;
