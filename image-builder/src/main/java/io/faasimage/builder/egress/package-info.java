/** Egress of installations: the hosts that a build may reach, and the proxy that is its only way there. */
@NullMarked
package io.faasimage.builder.egress;

import org.jspecify.annotations.NullMarked;
