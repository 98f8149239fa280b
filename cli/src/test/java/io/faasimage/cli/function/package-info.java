@NullMarked
package io.faasimage.cli.function;

import org.jspecify.annotations.NullMarked;
