/**
 * The dashboard at {@code /ui}: pages made on the server from the records of {@code view}, which have JSON twins at
 * {@code /v1/views}. {@link io.faasimage.registry.page.PageGuard} decides who sees and does what.
 */
@NullMarked
package io.faasimage.registry.page;

import org.jspecify.annotations.NullMarked;
