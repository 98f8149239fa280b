@NullMarked
package io.faasimage.registry.inspection;

import org.jspecify.annotations.NullMarked;
