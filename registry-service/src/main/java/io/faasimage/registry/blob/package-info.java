/** What the registry stores: published whole and lasting or not at all, read by offset; in a directory or a bucket. */
@NullMarked
package io.faasimage.registry.blob;

import org.jspecify.annotations.NullMarked;
