@NullMarked
package io.faasimage.registry.token;

import org.jspecify.annotations.NullMarked;
