/** The node's identity at the service: its enrolment, its file, and its renewal. */
@NullMarked
package io.faasimage.node.link.identity;

import org.jspecify.annotations.NullMarked;
