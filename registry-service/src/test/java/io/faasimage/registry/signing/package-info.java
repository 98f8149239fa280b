@NullMarked
package io.faasimage.registry.signing;

import org.jspecify.annotations.NullMarked;
