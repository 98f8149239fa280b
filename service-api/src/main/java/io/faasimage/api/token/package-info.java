/** Tokens of the REST API: their permissions, creation and listing, and the enrolment of nodes. */
@NullMarked
package io.faasimage.api.token;

import org.jspecify.annotations.NullMarked;
