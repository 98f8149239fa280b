/** Logins at image registries: stored encrypted, used when images are read and pushed. */
@NullMarked
package io.faasimage.registry.login;

import org.jspecify.annotations.NullMarked;
