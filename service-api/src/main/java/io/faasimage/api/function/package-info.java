/** Functions and languages in the REST API. */
@NullMarked
package io.faasimage.api.function;

import org.jspecify.annotations.NullMarked;
