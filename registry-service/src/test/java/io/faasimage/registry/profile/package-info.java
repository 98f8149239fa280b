/** Tests of the profiles of libraries and runtimes. */
@NullMarked
package io.faasimage.registry.profile;

import org.jspecify.annotations.NullMarked;
