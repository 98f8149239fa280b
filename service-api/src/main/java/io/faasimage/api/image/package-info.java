/** Images, their plans, and requests for their files in the REST API. */
@NullMarked
package io.faasimage.api.image;

import org.jspecify.annotations.NullMarked;
