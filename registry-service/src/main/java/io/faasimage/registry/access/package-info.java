/** Access to endpoints: the table of the requirements of each REST endpoint and each page, and its enforcement. */
@NullMarked
package io.faasimage.registry.access;

import org.jspecify.annotations.NullMarked;
