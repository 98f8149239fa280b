/** The registry-service process: how it is put together and started. */
@NullMarked
package io.faasimage.registry;

import org.jspecify.annotations.NullMarked;
