@NullMarked
package io.faasimage.registry.bundle;

import org.jspecify.annotations.NullMarked;
