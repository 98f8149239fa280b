/** Access to endpoints: the table of what each REST endpoint and each page requires, and its enforcement. */
@NullMarked
package io.faasimage.registry.access;

import org.jspecify.annotations.NullMarked;
