/** The operator's settings, checked before anything starts. */
@NullMarked
package io.faasimage.adapter.config;

import org.jspecify.annotations.NullMarked;
