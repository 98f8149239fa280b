/** Refactor jobs and builds in the REST API. */
@NullMarked
package io.faasimage.api.job;

import org.jspecify.annotations.NullMarked;
