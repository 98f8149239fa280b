/** The operator's settings, and the data directory with its lock, its token and its folders. */
@NullMarked
package io.faasimage.registry.platform.config;

import org.jspecify.annotations.NullMarked;
