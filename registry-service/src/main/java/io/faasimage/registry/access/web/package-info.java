/** The HTTP edge: filters, the form of every error, and the code that the features' controllers share. */
@NullMarked
package io.faasimage.registry.access.web;

import org.jspecify.annotations.NullMarked;
