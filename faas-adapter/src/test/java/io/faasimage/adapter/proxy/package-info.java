/** Tests of the proxy package. */
@NullMarked
package io.faasimage.adapter.proxy;

import org.jspecify.annotations.NullMarked;
