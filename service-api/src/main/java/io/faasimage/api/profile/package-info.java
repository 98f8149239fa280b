/** Profiles of libraries and runtimes: what starts read of them. */
@NullMarked
package io.faasimage.api.profile;

import org.jspecify.annotations.NullMarked;
