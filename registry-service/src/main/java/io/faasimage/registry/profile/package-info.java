/** Profiles of libraries and runtimes: what traced starts read of them, merged over functions. */
@NullMarked
package io.faasimage.registry.profile;

import org.jspecify.annotations.NullMarked;
