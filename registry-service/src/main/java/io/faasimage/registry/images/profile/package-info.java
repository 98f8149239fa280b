/** Profiles of libraries and runtimes: the files of them that traced starts read, merged over functions. */
@NullMarked
package io.faasimage.registry.images.profile;

import org.jspecify.annotations.NullMarked;
