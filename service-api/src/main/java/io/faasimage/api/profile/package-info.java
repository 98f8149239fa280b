/** Profiles of libraries and runtimes: the files that starts read of them. */
@NullMarked
package io.faasimage.api.profile;

import org.jspecify.annotations.NullMarked;
