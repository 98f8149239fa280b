/** Identities of callers: the tokens in the database and the two of the settings, and what each of them permits. */
@NullMarked
package io.faasimage.registry.identity;

import org.jspecify.annotations.NullMarked;
