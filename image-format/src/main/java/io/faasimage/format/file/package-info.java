/** Small files on a local disk that are seen whole or not at all. */
@NullMarked
package io.faasimage.format.file;

import org.jspecify.annotations.NullMarked;
