/** Small helpers for threads and caches: back-off, calls with a time limit, bounded maps, ordered shutdown. */
@NullMarked
package io.faasimage.api.concurrent;

import org.jspecify.annotations.NullMarked;
