@NullMarked
package io.faasimage.registry.event;

import org.jspecify.annotations.NullMarked;
