/** Tokens of the REST API: what they permit, how they are created and listed, and how a node enrols. */
@NullMarked
package io.faasimage.api.token;

import org.jspecify.annotations.NullMarked;
