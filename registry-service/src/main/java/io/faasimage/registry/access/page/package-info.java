/**
 * The dashboard at {@code /ui}: the parts that the pages of all features share. Each feature has its own pages and
 * their twins in JSON; {@link io.faasimage.registry.access.page.PageSecurity} says who is signed in.
 */
@NullMarked
package io.faasimage.registry.access.page;

import org.jspecify.annotations.NullMarked;
