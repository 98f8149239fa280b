/** Tests. */
@NullMarked
package io.faasimage.registry.job;

import org.jspecify.annotations.NullMarked;
