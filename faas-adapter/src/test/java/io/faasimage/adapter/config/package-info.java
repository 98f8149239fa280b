/** Tests of the config package. */
@NullMarked
package io.faasimage.adapter.config;

import org.jspecify.annotations.NullMarked;
