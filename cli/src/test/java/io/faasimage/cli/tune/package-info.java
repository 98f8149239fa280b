@NullMarked
package io.faasimage.cli.tune;

import org.jspecify.annotations.NullMarked;
