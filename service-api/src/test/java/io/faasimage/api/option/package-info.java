@NullMarked
package io.faasimage.api.option;

import org.jspecify.annotations.NullMarked;
