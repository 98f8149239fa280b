@NullMarked
package io.faasimage.registry.identity;

import org.jspecify.annotations.NullMarked;
