@NullMarked
package io.faasimage.api.process;

import org.jspecify.annotations.NullMarked;
