/** Codecs: how messages between processes are written as JSON and read from it. */
@NullMarked
package io.faasimage.api.control.codec;

import org.jspecify.annotations.NullMarked;
