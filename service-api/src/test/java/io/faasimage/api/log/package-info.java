@NullMarked
package io.faasimage.api.log;

import org.jspecify.annotations.NullMarked;
