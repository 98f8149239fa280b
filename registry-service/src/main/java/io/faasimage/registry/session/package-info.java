/**
 * Who is signed in to the pages: cookies that the service signs and need not remember, and the limit on wrong tokens.
 */
@NullMarked
package io.faasimage.registry.session;

import org.jspecify.annotations.NullMarked;
