/** Tests of sign-ins. */
@NullMarked
package io.faasimage.registry.session;

import org.jspecify.annotations.NullMarked;
