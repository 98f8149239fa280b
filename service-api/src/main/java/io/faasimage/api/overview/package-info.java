/** The state of the whole installation and its events in the REST API. */
@NullMarked
package io.faasimage.api.overview;

import org.jspecify.annotations.NullMarked;
