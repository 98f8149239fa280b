/** Identities of callers: the tokens in the database and the two of the settings, and the permissions of each. */
@NullMarked
package io.faasimage.registry.access.identity;

import org.jspecify.annotations.NullMarked;
