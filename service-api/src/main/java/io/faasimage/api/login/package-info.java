/** Logins at image registries, of {@code /v1/registry-logins}. */
@NullMarked
package io.faasimage.api.login;

import org.jspecify.annotations.NullMarked;
