/** Lists that are read a page at a time and filtered by a text, for the dashboard and {@code /v1/views}. */
@NullMarked
package io.faasimage.registry.platform.list;

import org.jspecify.annotations.NullMarked;
