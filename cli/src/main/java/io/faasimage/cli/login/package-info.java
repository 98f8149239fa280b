/** {@code faasimage registry}: logins at image registries. */
@NullMarked
package io.faasimage.cli.login;

import org.jspecify.annotations.NullMarked;
