/**
 * Packs: files of zstd frames that are mounted as data-only layers while frames are still missing, and reads that wait
 * for these.
 */
@NullMarked
package io.faasimage.store.pack;

import org.jspecify.annotations.NullMarked;
