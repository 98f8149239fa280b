@NullMarked
package io.faasimage.registry.access;

import org.jspecify.annotations.NullMarked;
