/** Tests of fetching with a source that fails as told. */
@NullMarked
package io.faasimage.gate.fetch;

import org.jspecify.annotations.NullMarked;
