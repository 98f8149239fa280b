/**
 * The blobs that the service stores: published completely and durably or not at all, read by offset; in a directory or
 * a bucket.
 */
@NullMarked
package io.faasimage.registry.store.blob;

import org.jspecify.annotations.NullMarked;
