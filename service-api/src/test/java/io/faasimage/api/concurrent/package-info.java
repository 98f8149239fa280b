@NullMarked
package io.faasimage.api.concurrent;

import org.jspecify.annotations.NullMarked;
