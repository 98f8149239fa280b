@NullMarked
package io.faasimage.registry.redundancy;

import org.jspecify.annotations.NullMarked;
