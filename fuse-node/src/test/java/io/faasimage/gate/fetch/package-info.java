/** Tests of fetching with a source that fails on request. */
@NullMarked
package io.faasimage.gate.fetch;

import org.jspecify.annotations.NullMarked;
