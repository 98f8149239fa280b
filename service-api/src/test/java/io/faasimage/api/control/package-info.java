@NullMarked
package io.faasimage.api.control;

import org.jspecify.annotations.NullMarked;
