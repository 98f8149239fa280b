/** Sign-ins to the pages: cookies that the service signs and need not store, and the limit on wrong tokens. */
@NullMarked
package io.faasimage.registry.session;

import org.jspecify.annotations.NullMarked;
