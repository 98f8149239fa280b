/** Java processes that the service starts. */
@NullMarked
package io.faasimage.registry.process;

import org.jspecify.annotations.NullMarked;
