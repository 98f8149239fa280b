@NullMarked
package io.faasimage.api;

import org.jspecify.annotations.NullMarked;
