/** The HTTP edge: one controller per resource, the token check, and the form of every error. */
@NullMarked
package io.faasimage.registry.web;

import org.jspecify.annotations.NullMarked;
