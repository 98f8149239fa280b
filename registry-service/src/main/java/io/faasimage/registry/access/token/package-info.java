/** Tokens over REST and on the dashboard: creation, list, revocation, and the enrolment of nodes. */
@NullMarked
package io.faasimage.registry.access.token;

import org.jspecify.annotations.NullMarked;
